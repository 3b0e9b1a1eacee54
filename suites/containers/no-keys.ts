/** Neither a letter nor `ctrl-` with one of the values that there are (Document 1, Limits). */
export const noKeys = ['ctrl-1', 'ctrl-', '1'];
