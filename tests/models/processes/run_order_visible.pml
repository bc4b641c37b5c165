// what: without atomic the first process may run before the second one exists, so the assertion can fail
proctype P() { assert(_nr_pr == 3) }
init { run P(); run P() }
