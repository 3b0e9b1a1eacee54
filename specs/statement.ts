/**
 * The level of a deviation. `must`: stated, a failure. `should`: stated, but the documents are loose about it.
 * `observe`: recorded, never judged.
 */
export type Level = 'must' | 'should' | 'observe';

/** The place of a statement: the number of the document and the heading above it, one of `headings`. */
export type Source = readonly [document: 1 | 2 | 3 | 4, section: string];
