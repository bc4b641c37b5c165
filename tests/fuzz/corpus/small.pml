init{skip}
