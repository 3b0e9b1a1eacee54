import { type CheckContext, check } from '../../harness/check.ts';
import type { Exchange } from '../../harness/engine/exchange.ts';
import { expectValue } from '../../harness/expect/expect.ts';
import type { Fault } from '../../harness/faults/fault.ts';
import {
  asksTokenWith,
  encodesNoForm,
  postsForToken,
  sendsTokenFormAs,
  showsIdentityToken,
  showsNoToken,
} from '../../harness/faults/registry.ts';
import { type AccessKind, clientId, type TokenRequest, type User } from '../../harness/registry/access.ts';
import type { Registry } from '../../harness/registry/registry.ts';
import { Blocked, NotApplicable } from '../../harness/verdict/outcomes.ts';
import { passwordOf, publish, pull, type Repository, registryAuth, withRegistry } from './support/published-images.ts';

/** The result of a pull from a registry that requires a bearer token. */
interface Pulled {
  readonly answer: Exchange;
  readonly registry: Registry;
  readonly repository: Repository;
  /** The forms that the daemon posted to the token endpoint. */
  readonly forms: readonly TokenRequest[];
}

async function pullFrom(
  { engine, toRegistry: garbles }: CheckContext,
  access: AccessKind,
  authConfig: (user: User) => object,
  judge: (pulled: Pulled) => void,
): Promise<void> {
  await withRegistry(engine, { access, garbles }, async (repository) => {
    const { registry, name } = repository;
    await publish(engine, repository, 'one');
    const headers = registryAuth(authConfig(registry.access.user));
    const answer = await pull(engine, { fromImage: name, tag: 'one' }, headers);
    judge({ answer, registry, repository, forms: registry.access.forms });
  });
}

const identity = ({ identityToken }: User) => ({ identitytoken: identityToken });
const isManifest = ({ path }: { readonly path: string }) => path.includes('/manifests/');

check('images.create.token-bearer', { faults: [showsNoToken()] }, async (context) => {
  await pullFrom(context, 'bearer', passwordOf, ({ answer, registry }) => {
    const shown = registry.seen.filter((seen) => seen.admitted && isManifest(seen));
    expectValue('the requests for a manifest with a token of the token endpoint', shown.length, [answer]).toBeAtLeast(
      1,
    );
  });
});

check('images.create.token-post-404', { faults: [postsForToken()] }, async (context) => {
  await pullFrom(context, 'bearer-get', passwordOf, ({ answer, registry }) => {
    const methods = registry.access.tokenRequests.map(({ method }) => method);
    expectValue('the last request to the token endpoint', methods.at(-1), [answer]).toBe('GET');
    const shown = registry.seen.filter((seen) => seen.admitted && isManifest(seen));
    expectValue('the requests for a manifest with a token of the token endpoint', shown.length, [answer]).toBeAtLeast(
      1,
    );
  });
});

const otherForms = [
  sendsTokenFormAs('application/json'),
  encodesNoForm(),
  asksTokenWith('grant_type', 'password'),
  asksTokenWith('refresh_token'),
];

check('images.create.token-form', { faults: otherForms }, async (context) => {
  await pullFrom(context, 'bearer', identity, ({ answer, registry, forms }) => {
    const shown = forms.map(({ contentType, asked }) => [
      contentType.split(';')[0],
      asked.get('grant_type'),
      asked.get('refresh_token') === registry.access.user.identityToken,
    ]);
    const wanted = ['application/x-www-form-urlencoded', 'refresh_token', true];
    expectValue('the media type, the grant_type, and whether the token is shown', shown, [answer]).toContain(wanted);
  });
});

/** What a form says is judged of a daemon that posts one; that it posts none shows in `images.create.token-form`. */
async function pullWithForms(
  context: CheckContext,
  access: AccessKind,
  judge: (pulled: Pulled) => void,
): Promise<void> {
  await pullFrom(context, access, identity, (pulled) => {
    // That it must ask for one, another rule judges.
    if (pulled.registry.access.tokenRequests.length === 0) throw new Blocked('the pull asked for no token');
    if (pulled.forms.length === 0) throw new NotApplicable('the daemon posts no form to the token endpoint');
    judge(pulled);
  });
}

const unnamed = [asksTokenWith('service'), asksTokenWith('service', 'another'), asksTokenWith('client_id')];

check('images.create.token-service-client', { faults: unnamed }, async (context) => {
  await pullWithForms(context, 'bearer', ({ answer, registry, forms }) => {
    const [form] = forms;
    expectValue('the service', form?.asked.get('service'), [answer]).toBe(registry.access.service);
    expectValue('the client_id', form?.asked.get('client_id'), [answer]).toMatch(clientId);
  });
});

/** Forms that request a scope; a daemon may first request a token without permissions. */
function scopesIn(forms: readonly TokenRequest[]): string[] {
  return forms.flatMap(({ asked }) => asked.getAll('scope')).filter((scope) => scope !== '');
}

const otherScopes = [asksTokenWith('scope'), asksTokenWith('scope', 'pull')];

check('images.create.token-scope', { faults: otherScopes }, async (context) => {
  await pullWithForms(context, 'bearer', ({ answer, repository, forms }) => {
    const scopes = scopesIn(forms).flatMap((scope) => scope.split(' '));
    const isOwn = (scope: string) => {
      const [type, name, actions = ''] = scope.split(':');
      return type === 'repository' && name === repository.path && actions.split(',').includes('pull');
    };
    expectValue('the scopes asked for', scopes, [answer]).toSatisfy('one to pull the repository', () =>
      scopes.some(isOwn),
    );
  });
});

const scopeTwice = asksTokenWith('scope', 'repository:first:pull', 'repository:second:pull');

check('images.create.token-scope-once', { faults: [scopeTwice] }, async (context) => {
  await pullWithForms(context, 'bearer-scopes', ({ answer, forms }) => {
    expectValue('the requests for a scope', scopesIn(forms).length, [answer]).toBeAtLeast(1);
    const counts = forms.map(({ asked }) => asked.getAll('scope').length);
    expectValue('the number of scope parameters in a form', Math.max(...counts), [answer]).toBeAtMost(1);
  });
});

const dropsSecondScope: Fault = {
  name: 'asks for the first of several scopes alone',
  toRegistry: {
    tokenRequest: (request) => {
      const asked = new URLSearchParams(request.asked);
      asked.set('scope', (asked.get('scope') ?? '').split(' ')[0] ?? '');
      return { ...request, asked };
    },
  },
};

check('images.create.token-scope-list', { faults: [dropsSecondScope] }, async (context) => {
  await pullFrom(context, 'bearer-scopes', identity, ({ answer, forms }) => {
    const scopes = scopesIn(forms).flatMap((scope) => scope.split(' '));
    expectValue('the scopes asked for', scopes, [answer]).toContain('repository:second:pull');
  });
});

check('images.create.token-secret', { faults: [showsIdentityToken()] }, async (context) => {
  await pullFrom(context, 'bearer', identity, ({ answer, registry, forms }) => {
    expectValue('the number of forms for the token endpoint', forms.length, [answer]).toBeAtLeast(1);
    const shown = registry.seen.filter(({ showedIdentity }) => showedIdentity);
    expectValue('the number of requests that show the registry the identitytoken', shown.length, [answer]).toBe(0);
  });
});

check('images.create.token-identity-404', { faults: [postsForToken()] }, async (context) => {
  await pullFrom(context, 'bearer-get', identity, ({ answer, registry }) => {
    const methods = registry.access.tokenRequests.map(({ method }) => method);
    // How GET carries an identitytoken is not stated, so only the attempt is judged.
    expectValue('the methods of the requests to the token endpoint', methods, [answer]).toContain('GET');
  });
});
