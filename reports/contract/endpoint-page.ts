import { type Answer, type Endpoint, endpointTitle, type Framing, type Parameter } from '../../specs/endpoint.ts';
import { describe } from '../../specs/fields.ts';
import type { Rule } from '../../specs/rule.ts';
import { apiVersions, firstCarried, holdsIn, type Span, versionBefore, versionsInWords } from '../../specs/versions.ts';
import { type Entry, escaped, link, page, section, text } from './markup.ts';
import { publicDescriptions } from './public-descriptions.ts';
import { ruleSections, spanInWords } from './rules.ts';

const framings: Readonly<Record<Framing, string>> = {
  empty: 'no body',
  object: 'JSON',
  objects: 'JSON objects, one after another',
  text: 'text',
  tar: 'a tar archive',
  octets: 'bytes',
  'raw-stream': 'a stream in both directions',
  websocket: 'a websocket',
};

/** The page of one endpoint: what may be sent, what is answered, its rules, and the differences between versions. */
export function endpointPage(endpoint: Endpoint, rules: readonly Rule[]): string {
  const title = endpointTitle(endpoint);
  const [document, heading] = endpoint.source;
  return page(
    `${title}: the contract`,
    `<header>
<p class="eyebrow">${link('index.html', 'The contract')}</p>
<h1>${escaped(title)}</h1>
<p>${text(capitalized(endpoint.summary))}.</p>
<p class="soft">${text(`Document ${document}, ${heading}. ${versionsOf(endpoint)}`)}</p>
${publicLinks(endpoint)}</header>
<main>
${section('Parameters', Object.entries(endpoint.parameters).map(parameterEntry))}${section('Body', bodyEntries(endpoint))}${section('Answers', answersOf(endpoint).map(answerEntry))}${section('Differences between versions', differences(endpoint, rules))}${ruleSections(rules, endpoint.source)}</main>
`,
  );
}

function versionsOf(endpoint: Endpoint): string {
  if (endpoint.server !== undefined) return 'It has no API version, as it belongs to the token server of a registry.';
  return `API ${versionsInWords(apiVersions.filter((api) => holdsIn(endpoint, api)))}.`;
}

function publicLinks(endpoint: Endpoint): string {
  const links = publicDescriptions(endpoint).map(({ api, href }) => link(href, `v${api}`));
  return links.length === 0
    ? ''
    : `<p class="soft">The same endpoint in the public description of the Docker Engine API: ${links.join(', ')}.</p>\n`;
}

function parameterEntry([name, { in: place, required, schema, says, ...span }]: [string, Parameter]): Entry {
  const byDefault = schema.default === undefined ? '' : `default ${schema.default}`;
  return {
    name,
    tags: [`in the ${place}`, required === true || place === 'path' ? 'required' : '', byDefault, spanInWords(span)],
    says: text(says),
  };
}

function bodyEntries({ body }: Endpoint): Entry[] {
  if (!body) return [];
  const says = body.schema ? describe(body.schema) : '';
  return [{ name: body.mediaType, tags: [body.required ? 'required' : '', spanInWords(body)], says: text(says) }];
}

function answersOf({ answers }: Endpoint): [status: string, answer: Answer][] {
  return Object.entries(answers).flatMap(([status, some]) =>
    [some].flat().map((answer): [string, Answer] => [status, answer]),
  );
}

function answerEntry([status, answer]: [string, Answer]): Entry {
  const headers = Object.keys(answer.headers ?? {});
  const type = answer.mediaType === undefined ? '' : `, \`${answer.mediaType}\``;
  const isError = Number(status) >= 400 && answer.body === 'text';
  const later = isError ? `, JSON from ${firstCarried} on` : '';
  const more = `${framings[answer.body]}${type}${later}${headers.length > 0 ? `; headers ${headers.join(', ')}` : ''}`;
  return {
    name: status,
    tags: [spanInWords(answer)],
    says: `${text(answer.says)} <span class="more">${text(more)}</span>`,
  };
}

/** What appears and disappears with each version of the endpoint. */
function differences(endpoint: Endpoint, rules: readonly Rule[]): Entry[] {
  const parts: Thing[] = [
    ...Object.entries<Parameter>(endpoint.parameters).map(([name, span]) => ({
      html: `parameter <code>${escaped(name)}</code>`,
      span,
    })),
    ...answersOf(endpoint).map(([status, span]) => ({ html: `answer ${status}`, span })),
  ];
  const places = rules.map((rule) => ({ html: ruleLink(rule, endpoint), span: rule }));
  const told = (change: string, is: (span: Span) => boolean): string[] => {
    const some = (things: readonly Thing[]) => things.filter(({ span }) => is(span)).map(({ html }) => html);
    const ofRules = some(places);
    const all = [
      ...some(parts),
      ...(ofRules.length > 0 ? [`rule${ofRules.length === 1 ? '' : 's'} ${ofRules.join(', ')}`] : []),
    ];
    return all.length > 0 ? [`${change}: ${all.join(', ')}`] : [];
  };
  return apiVersions
    .filter((api) => holdsIn(endpoint, api))
    .flatMap((api) => {
      const before = versionBefore(api);
      if (before === undefined || !holdsIn(endpoint, before)) return [];
      const says = [...told('new', ({ since }) => since === api), ...told('gone', ({ until }) => until === before)];
      return says.length > 0 ? [{ name: api, tags: [], says: says.join('; ') }] : [];
    });
}

/** Something that some versions have, as HTML. */
interface Thing {
  readonly html: string;
  readonly span: Span;
}

function ruleLink({ id }: Rule, endpoint: Endpoint): string {
  const short = id.startsWith(`${endpoint.id}.`) ? id.slice(endpoint.id.length + 1) : id;
  return link(`#${encodeURIComponent(id)}`, escaped(short));
}

function capitalized(words: string): string {
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
