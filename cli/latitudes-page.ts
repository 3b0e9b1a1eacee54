import type { Latitude } from '../harness/latitudes/latitude.ts';
import { contrarians, latitudes } from '../harness/latitudes/latitudes.ts';

/** The latitudes for people, by area, each with its ground, as Markdown. */
export function latitudesPage(): string {
  const areas = [...new Set(latitudes.map(({ area }) => area))];
  return `${[
    '# Latitudes',
    '',
    'Written by `npm run generate`; do not edit it. A latitude is something that an engine may do differently from the reference',
    'engine, because a sentence leaves it open, an interpretation allows it, or no sentence mentions it (not shown).',
    `\`npm run prove\` combines them into ${contrarians().length} engines and runs the whole suite on each. A rule that fails, is blocked or is skipped`,
    'only there is a false alarm, and is narrowed down to the latitude that causes it. Behind a host without limits, rules on limits may be',
    'skipped, but only where the daemon said why.',
    '',
    'To put your own daemon behind them, run `engine-conformance prove --latitudes --target ADDRESS`: every rule that the daemon',
    'keeps as it is must be kept behind them too. Docker 20.10.24 was tried in this way.',
    '',
    `There are ${latitudes.length} latitudes.`,
    ...areas.flatMap((area) => section(area)),
  ].join('\n')}\n`;
}

function section(area: Latitude['area']): string[] {
  const ofArea = latitudes.filter((latitude) => latitude.area === area);
  return [
    '',
    `## ${area}`,
    '',
    '| latitude | an engine that | ground |',
    '| --- | --- | --- |',
    ...ofArea.map((one) => `| \`${one.name}\` | ${one.says} | ${groundOf(one)} |`),
  ];
}

function groundOf({ ground }: Latitude): string {
  if ('notShown' in ground) return `not shown: ${ground.notShown}`;
  if ('interpretation' in ground) return `interpretation \`${ground.interpretation}\`: ${ground.because}`;
  const [document, heading] = ground.source;
  return `Document ${document}, ${heading}: ${ground.because}`;
}
