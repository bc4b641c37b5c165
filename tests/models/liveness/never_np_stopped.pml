// what: a system that has stopped is not one without progress: there np_ is false
// run: -a
byte x;
active proctype P() { x = 1; timeout; x = 2 }
never {
	do
	:: true
	:: np_ -> goto accept
	od;
accept:
	do
	:: np_
	od
}
