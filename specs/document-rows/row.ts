import type { headings } from '../headings.ts';

/** A statement without rules. */
export interface NoRule {
  readonly name: string;
  readonly noRule: string;
}

/**
 * A statement of a document by a short name that is unique in its section: the fields, parameters or status codes that it
 * is about. Rules name it as their `row`.
 */
export type DocumentRow = string | NoRule;

/** The statements below each heading of a document, or the reason why there are none. */
export type DocumentRows<Document extends keyof typeof headings> = {
  readonly [Heading in (typeof headings)[Document][number]]: readonly DocumentRow[] | string;
};

/** The row of rules that are based on their section as a whole. */
export const wholeSection = 'as a whole';

/** A statement that no rule is based on, with the reason. */
export function noRule(name: string, reason: string): NoRule {
  return { name, noRule: reason };
}

export const onlyHeadings = 'only headings stand below it';

/** A statement that only says where the endpoint is. */
export function whereItIs(name: string): NoRule {
  return noRule(name, 'names the method and path of the endpoint, which all its rules use');
}

/** A statement about endpoints that have sections of their own. */
export function elsewhere(name: string): NoRule {
  return noRule(name, 'its rules are with the endpoints that it is about');
}

/** What stands before a table or list. */
export function leadsIn(name: string): NoRule {
  return noRule(name, 'leads in what is listed below it');
}
