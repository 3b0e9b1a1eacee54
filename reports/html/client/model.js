/** The report, as `reports/html/data.ts` wrote it. */
export const report = JSON.parse(document.getElementById('report').textContent);

/** The results of a rule, oldest version first. */
export function resultsOf(rule) {
  return report.apis.map((api) => rule.results[api]).filter(Boolean);
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

let ofPasses;

/** The exchanges that a pass rests on, unpacked when the first of them is looked at. */
export async function evidenceOfPass(result) {
  ofPasses ??= unpacked('exchanges-of-passes').then((list) => new Map(list.map((exchange) => [exchange.id, exchange])));
  const packed = await ofPasses;
  return result.evidence.map((id) => exchanges().get(id) ?? packed.get(id)).filter(Boolean);
}

async function unpacked(id) {
  const bytes = Uint8Array.from(atob(document.getElementById(id).textContent), (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return JSON.parse(await new Response(stream).text());
}

/** What the check sent beside the exchanges it judged. */
export function preparationOf(rule, result) {
  const judged = new Set(result.evidence);
  return [...exchanges().values()].filter(
    (exchange) => exchange.madeFor === rule.id && exchange.api === result.api && !judged.has(exchange.id),
  );
}

let scripts;

/** The script that shows a failure again, whole; or the reason why there is none. Undefined for other verdicts. */
export function scriptOf(rule, result) {
  scripts ??= JSON.parse(document.getElementById('scripts').textContent);
  const repro = scripts.own[`${rule.id} ${result.api}`];
  if (repro?.script === undefined) return repro;
  const script = repro.script.replace('@LIBRARY@', () => scripts.library).replace('@PROBE@', () => scripts.probe);
  return { script };
}
