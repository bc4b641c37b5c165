// what: the event of a random receive has the value that was received, also when it was not in front
// expect: holds - 5 5 0; Spin compares the event with the first message of the channel instead of the one received
chan q = [3] of { byte };
active proctype P() { q!3; q!1; q??1 }
trace { q!3; q!1; q?1 }
