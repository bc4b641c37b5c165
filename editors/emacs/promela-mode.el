;;; promela-mode.el --- Promela, with Gyre's language server  -*- lexical-binding: t -*-

;; A major mode for models in Promela: colours, comments, and the entry for Eglot, which starts `gyre lsp`.
;; Eglot is part of Emacs 29; for Emacs 28 it is in GNU ELPA (Debian: elpa-eglot).

;;; Code:

(defvar promela-gyre "gyre"
  "The program: a name on the path, or a file.")

(defvar promela-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?_ "w" table)
    (modify-syntax-entry ?/ ". 124" table)
    (modify-syntax-entry ?* ". 23b" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?' "\"" table)
    table))

(defconst promela-font-lock-keywords
  `(("^[ \t]*#[ \t]*[a-z]+" . font-lock-preprocessor-face)
    ("\\_<\\(?:D_proctype\\|proctype\\|inline\\|ltl\\|typedef\\|run\\|never\\)[ \t]+\\(\\(?:\\w\\|_\\)+\\)" 1 font-lock-function-name-face)
    ("^[ \t]*\\(\\(?:\\w\\|_\\)+\\):\\(?:[^:]\\|$\\)" 1 font-lock-constant-face)
    ("::" . font-lock-keyword-face)
    (,(regexp-opt '("bit" "bool" "byte" "pid" "short" "int" "unsigned" "chan" "mtype") 'symbols) . font-lock-type-face)
    (,(regexp-opt '("true" "false" "skip" "timeout" "np_" "_pid" "_last" "_nr_pr" "_priority") 'symbols) . font-lock-constant-face)
    (,(regexp-opt '("printf" "printm" "len" "empty" "nempty" "full" "nfull" "enabled" "eval" "pc_value" "get_priority" "set_priority")
                  'symbols)
     . font-lock-builtin-face)
    (,(regexp-opt '("active" "assert" "atomic" "break" "c_code" "c_decl" "c_expr" "c_state" "c_track" "D_proctype" "d_step" "do" "else"
                    "fi" "for" "goto" "hidden" "if" "in" "init" "inline" "local" "ltl" "never" "notrace" "od" "of" "priority"
                    "proctype" "provided" "return" "run" "select" "show" "trace" "typedef" "unless" "xr" "xs")
                  'symbols)
     . font-lock-keyword-face))
  "What `promela-mode' colours.")

;;;###autoload
(define-derived-mode promela-mode prog-mode "Promela"
  "Models in Promela."
  (setq-local comment-start "/* "
              comment-end " */"
              comment-start-skip "/[*/]+[ \t]*"
              indent-line-function #'indent-relative
              indent-tabs-mode nil
              font-lock-defaults '(promela-font-lock-keywords)))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.\\(?:pml\\|prom\\|promela\\)\\'" . promela-mode))

(with-eval-after-load 'eglot
  (defvar eglot-server-programs)
  (add-to-list 'eglot-server-programs `(promela-mode . (,promela-gyre "lsp"))))

(provide 'promela-mode)
;;; promela-mode.el ends here
