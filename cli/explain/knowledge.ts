import { clientsOf, tripsOver } from '../../reports/clients/clients.ts';
import type { RuleKnowledge } from '../../reports/rule-knowledge.ts';
import { endpointTitle } from '../../specs/endpoint.ts';
import type { Rule } from '../../specs/rule.ts';
import { causesOf } from './causes.ts';
import { clientLines, seenLines, tripLines } from './lines.ts';
import { seenOf } from './seen.ts';

/** What `explain` knows about a rule, for a report. */
export function knowledgeOf(rule: Rule): RuleKnowledge {
  const clients = clientsOf(rule);
  const used = { clients, ...(rule.endpoint && { endpoint: endpointTitle(rule.endpoint) }) };
  return {
    often: causesOf(rule),
    seen: seenLines({ seen: seenOf(rule.id) }),
    clients: clientLines(used),
    trips: tripLines({ trips: tripsOver(rule), ...used }),
  };
}
