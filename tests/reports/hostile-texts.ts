/** What a daemon could send to a report that trusts it. */
export const hostileTexts: readonly string[] = [
  '{"message":"server error"}',
  '<script>window.__pwned = 1</script>',
  '</script><script>window.__pwned = 2</script>',
  '<!--<script>',
  '<img src=x onerror="window.__pwned = 3">',
  '"><svg onload=window.__pwned=4>',
  ']]> & &amp; &#x1b; <![CDATA[ ]]>',
  '\u001b[2J\u001b[1;31mall gone\u001b]0;title\u0007',
  'lone \ud800 and \udc00 surrogates, \ufffe and \uffff',
  'nul \u0000 bell \u0007 csi \u009b31m carriage\rreturn',
  'right to left \u202egnp.exe\u202c and \u2066isolates\u2069, zero\u200bwidth \ufeff',
  "javascript:alert(1) ' ` onload=",
  '漢字 ñ 🦭 a line end\nand\ta tab',
];
