/** How brand words are written on the wire. */
export type Dialect = 'engine' | 'docker';
