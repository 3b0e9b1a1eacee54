/** The verdicts as they are shown: failures at level should are a kind of their own. In the order of the pictures. */
export const kinds = {
  pass: { label: 'pass', mark: '✓', says: 'keeps the contract' },
  fail: { label: 'fail', mark: '✕', says: 'a deviation from the contract' },
  should: { label: 'should', mark: '!', says: 'a deviation where the documents are loose' },
  blocked: { label: 'blocked', mark: '⊘', says: 'a step before the check failed' },
  error: { label: 'error', mark: '‼', says: 'the kit itself failed' },
  waived: { label: 'waived', mark: '≈', says: 'a known deviation of the baseline' },
  skip: { label: 'skip', mark: '–', says: 'does not apply, or the host cannot do it' },
  observed: { label: 'observed', mark: '○', says: 'recorded, not judged' },
  untested: { label: 'untested', mark: '?', says: 'no check decides it' },
};

export const kindNames = Object.keys(kinds);

/** What needs somebody's attention; shown first when there is any of it. */
export const problemKinds = ['fail', 'should', 'blocked', 'error'];

/** What is counted beside the passes: the problems, and the deviations that are known. */
export const countedKinds = [...problemKinds, 'waived'];

export function kindOf(result) {
  return result.verdict === 'fail' && result.level === 'should' ? 'should' : result.verdict;
}

/** Number of results of each kind. */
export function countKinds(results) {
  const counts = Object.fromEntries(kindNames.map((kind) => [kind, 0]));
  for (const result of results) counts[kindOf(result)]++;
  return counts;
}
