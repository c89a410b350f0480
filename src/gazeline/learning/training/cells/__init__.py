"""Regular cells over stretches of film: what models over time see and answer."""
