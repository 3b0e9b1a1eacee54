/**
 * Ids that rules once had and no longer have, each with the reason. They are never given to another rule, as reports
 * and baselines of users name them.
 */
export const retiredRuleIds: Readonly<Record<string, string>> = {};
