import type { Latitude } from '../harness/latitudes/latitude.ts';
import { contrarians, latitudes } from '../harness/latitudes/latitudes.ts';

/** The latitudes for people, by area, each with its ground, as Markdown. */
export function latitudesPage(): string {
  const areas = [...new Set(latitudes.map(({ area }) => area))];
  return `${[
    '# Latitudes',
    '',
    'Written by `npm run generate`; do not edit it. A latitude is something that an engine may do otherwise than the reference',
    'engine: a sentence leaves it open, an interpretation settles it so, or no sentence speaks of it (not shown).',
    `\`npm run prove\` puts them together into ${contrarians().length} engines, as far as they go together, and runs the whole suite on each. A rule that`,
    'fails, is blocked or is skipped there only is a false alarm, and is narrowed down to the latitude that brings it.',
    '',
    'A daemon of your own is put behind them by `engine-conformance prove --latitudes --target ADDRESS`: what it keeps as it is',
    'has to be kept behind them too. Docker 20.10.24 was tried so.',
    '',
    `There are ${latitudes.length}.`,
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
