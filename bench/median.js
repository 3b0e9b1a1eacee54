/** The middle of the figures, or between the two in the middle; 0 for none. */
export function median(figures) {
  const sorted = figures.toSorted((a, b) => a - b);
  return ((sorted[Math.floor((sorted.length - 1) / 2)] ?? 0) + (sorted[Math.ceil((sorted.length - 1) / 2)] ?? 0)) / 2;
}
