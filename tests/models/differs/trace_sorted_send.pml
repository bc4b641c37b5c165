// what: the event of a sorted send has the value that was sent, also when it does not go to the end of the channel
// expect: holds - 5 5 0; Spin compares the event with the last message of the channel instead of the one sent; one run of three steps and an end
chan q = [3] of { byte };
active proctype P() { q!!3; q!!1; q?1 }
trace { q!3; q!1; q?1 }
