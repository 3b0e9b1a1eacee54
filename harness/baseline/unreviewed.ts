/** Stands for the reason of a new entry until somebody has looked at the deviation. */
export const unreviewed = 'not reviewed yet';
