/**
 * Contexts that Node cannot compress by itself: a tar archive with `Enginefile`, the same file as `Dockerfile`, and
 * `ec-file`. The build file copies `ec-file` into an image that begins with nothing.
 */
export const bzip2Context = bytes([
  'QlpoOTFBWSZTWanpmO4AALn/hMsQAEBQAveADwLRKmvtnkAAIAgIMAC4DAGmho0YjIBoANDDAGmho0YjIBoANDBFJCGU9RptQ8kb',
  'UNpNAG2lNMm1kQxrIBYpQUu3bvxhrHY3UEnWokIepnafBVIh3nExMio5reYENohW9jIB5FlKG1hpGqThQ9/DU4kMMN7Q0UPibHUU',
  '65EG8LjynocjicyCR7FpzIvMCTNyOCyM5maG35LCCc67PtaeR0QzlMTp9TaSzrNHc1GjjeiH+LuSKcKEhU9Mx3A=',
]);

export const xzContext = bytes([
  '/Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj4Cf/AKxdACIbyGbcCWThplxBwkI3RQOJbBbt0m3g+r80/FnQUcQJdfvyZaC78ETVyT+m',
  'rbp3DGwlgUTgdy89xr4kICmue8ZXqRpx2QT0Dxg6jZi0tWaDeqiIUggk59KdqX4eJDMiVKZedojQaTmuQRPME4IFIF0Wg0ig1b/d',
  '7JZ7fkCCdq7+C9hz6fbpjpxOU2p2DXK+1JTqhhH6BlQDMHMzLFZOn2X7XcnLPprRW+mkjgAAK/2m4Zc9sQMAAcgBgFAAAD/5a4Kx',
  'xGf7AgAAAAAEWVo=',
]);

function bytes(lines: readonly string[]): Buffer {
  return Buffer.from(lines.join(''), 'base64');
}
