"""`params.yaml` as frozen models, one module per section; the defaults live here too."""
