"""MediaEval 2018 emotional impact of movies: valence, arousal and fear over LIRIS-ACCEDE films."""
