// what: labels whose gotos lead in a circle
init { a: goto b; b: goto a }
