/** What a new entry has in place of a reason, until somebody has looked at the deviation. */
export const unreviewed = 'not reviewed yet';
