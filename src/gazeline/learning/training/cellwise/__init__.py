"""Linear models of single cells, fitted in closed form or by scikit-learn."""
