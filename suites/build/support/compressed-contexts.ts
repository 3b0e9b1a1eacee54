/**
 * Contexts that Node cannot compress itself: a tar archive with `Enginefile`, the same file as `Dockerfile`, and
 * `ec-file`. The build file copies `ec-file` into an empty image. It has no further instruction, as an intermediate
 * image would not have the label of the run.
 */
export const bzip2Context = bytes([
  'QlpoOTFBWSZTWUNRUoAAALH/gssQAEBAAv+ADwLRIGvtnkAAEAgIMAC4DAA0aGjCMmg0aaAwwANGhowjJoNGmgMEUVPSZNRoBoya',
  'YT1NAeaUz5PUyQxaQCxRBTt7I/GG4bWncS6VEhDUZdCmgh5G8wTwS4Qsb2QHmW0Q1sNBsl2+NHdpKbZHYaGXc0ZbC5tkg2HpXM5m',
  'BxJPcvMCAq8T1STKpkuvoexWuq/6SnMxXKagY41aF/WZve2Gbv80Q/xdyRThQkENRUoA',
]);

export const xzContext = bytes([
  '/Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj4Cf/AKZdACIbyGbcCWThplxBwkI3RQOJbBbt0m0mJSCBDZZHdN0flMbe+NUwwRQlFmwg',
  'oVSrPpa4y6IHgYqUsjDgu4aqRRSBCCQGo6bv+RXhpoLrDNCD2EOi5lJ3GboR1BnqF1qO0IbRiWLYLOceDiA6noeK5W5RLEP341tk',
  '7jG+Wl2dPg/0Mb9JFm7Ga/XKq7Olu542VmjMyJwsqhw4Ma98wlkU0KglKiPlueAAAADEKZk1Bs56pgABwgGAUAAAWdrwI7HEZ/sC',
  'AAAAAARZWg==',
]);

function bytes(lines: readonly string[]): Buffer {
  return Buffer.from(lines.join(''), 'base64');
}
