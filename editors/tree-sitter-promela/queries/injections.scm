((c_block) @injection.content
  (#set! injection.language "c")
  (#set! injection.include-children))
((comment) @injection.content (#set! injection.language "comment"))
