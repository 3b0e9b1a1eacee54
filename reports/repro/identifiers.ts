/**
 * Identifiers in the texts of requests, or the parts by which requests name them. The digits of an encoded character
 * before one, as in `%22`, are not part of it.
 */
export const identifiers = /(?<=^|[^0-9a-f%]|%[0-9A-Fa-f]{2})(?<!%[0-9A-Fa-f]?)[0-9a-f]{12,64}/gm;
