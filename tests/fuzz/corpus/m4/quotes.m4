changequote([,])define([f], [$1 [$2] $@])f([a], b)
changecom([/*], [*/])/* f */ f
