/** The report, as `reports/html/data.ts` wrote it. */
export const report = JSON.parse(document.getElementById('report').textContent);

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

export function kindOf(result) {
  return result.verdict === 'fail' && result.level === 'should' ? 'should' : result.verdict;
}

/** The results of a rule, oldest version first. */
export function resultsOf(rule) {
  return report.apis.map((api) => rule.results[api]).filter(Boolean);
}

/** Number of results of each kind. */
export function countKinds(results) {
  const counts = Object.fromEntries(kindNames.map((kind) => [kind, 0]));
  for (const result of results) counts[kindOf(result)]++;
  return counts;
}

let parsed;

/** The exchanges by id, read when the first of them is looked at. */
function exchanges() {
  if (!parsed) {
    const list = JSON.parse(document.getElementById('exchanges').textContent);
    parsed = new Map(list.map((exchange) => [exchange.id, exchange]));
  }
  return parsed;
}

/** The exchanges that a verdict rests on, the decisive one last; those not in the report are left out. */
export function evidenceOf(result) {
  return result.evidence.map((id) => exchanges().get(id)).filter(Boolean);
}

/** What the check sent beside the exchanges it judged. */
export function preparationOf(rule, result) {
  const judged = new Set(result.evidence);
  return [...exchanges().values()].filter(
    (exchange) => exchange.madeFor === rule.id && exchange.api === result.api && !judged.has(exchange.id),
  );
}
