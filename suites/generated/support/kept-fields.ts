import type { Exchange } from '../../../harness/engine/exchange.ts';
import { expectValue } from '../../../harness/expect/expect.ts';
import { show } from '../../../harness/expect/show.ts';
import type { Settings } from '../../../harness/generators/settings.ts';
import type { Trial } from '../../../harness/property/trial.ts';
import type { JsonValue } from '../../../harness/streams/json.ts';
import { valuesAt } from '../../../harness/streams/json-path.ts';
import { isStatedRuleId, type StatedRuleId } from '../../../specs/stated.ts';
import { meansSame } from '../../containers/support/equivalent-values.ts';

/** The rule for a member of a request body: `ruleOf('containers.create.body.', 'Env')`. @throws when there is none */
export function ruleOf(prefix: string, member: string): StatedRuleId {
  const id = prefix + member;
  if (!isStatedRuleId(id)) throw new Error(`${id} is no rule`);
  return id;
}

/** The settings for which the daemon has no known deviation. */
export function judgedOf(trial: Trial, prefix: string, settings: Settings): Settings {
  return Object.fromEntries(Object.entries(settings).filter(([member]) => trial.holds(ruleOf(prefix, member))));
}

/** An empty value asks for nothing; an engine may show its default instead. */
function isNothing(value: JsonValue): boolean {
  return value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);
}

/**
 * Whether the value that inspect shows for a member of the create body, given by its path there, means what was sent.
 */
function isKept(path: string, shown: JsonValue | undefined, sent: JsonValue): boolean {
  if (isNothing(sent)) return true;
  // Interpretation `absent-when-empty`.
  if (sent === false) return shown === undefined || shown === null || shown === false;
  return shown !== undefined && meansSame(path, shown, sent);
}

/**
 * Judges that an answer shows each of the settings as it was sent.
 * @param where the prefix of a member's path in the answer: `Config.`
 * @param meant the prefix under which its meaning is looked up; default: that in the answer
 */
export async function expectKept(
  trial: Trial,
  answer: Exchange,
  settings: Settings,
  places: { readonly rules: string; readonly where: string; readonly meant?: string },
): Promise<void> {
  for (const [member, sent] of Object.entries(settings)) {
    await trial.decides(ruleOf(places.rules, member), () => {
      const path = places.where + member;
      const [shown] = valuesAt(answer.json, path);
      expectValue(path, shown, [answer]).toSatisfy(`what was sent: ${show(sent)}`, () =>
        isKept((places.meant ?? places.where) + member, shown, sent),
      );
    });
  }
}
