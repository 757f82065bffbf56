// What fetch throws, in words for the person; answers with a status are tested over the wire in anthropic.test.ts.
import assert from 'node:assert/strict';
import { faultOf, type Endpoint } from '../../../../src/core/provider/faults';
import { ProviderFault } from '../../../../src/core/provider/types';

const LOCAL: Endpoint = { url: 'http://localhost:11434', isAnthropic: false };
const OWN: Endpoint = { url: 'https://api.anthropic.com', isAnthropic: true, apiKey: 'sk-1' };

/** As fetch throws it: the code of the system is in the cause. */
function thrown(code: string): Error {
  return new TypeError('fetch failed', { cause: Object.assign(new Error('connect'), { code }) });
}

describe('faults of the network', () => {
  const check = (name: string, error: Error, endpoint: Endpoint, kind: string, message: string): void => {
    it(name, () => {
      const fault = faultOf(error, endpoint);
      assert.deepEqual({ kind: fault.kind, message: fault.message }, { kind, message });
    });
  };
  const refused = (url: string, then: string) => `Nothing listens at ${url} (connection refused). ${then}`;
  const CORRECT = 'Start it, or correct the setting lathe.baseUrl.';
  check('Ollama', thrown('ECONNREFUSED'), LOCAL, 'network', refused(LOCAL.url, `Is Ollama running? ${CORRECT}`));
  const unknown = 'http://127.0.0.1:5000';
  check(
    'a local server of no known kind',
    thrown('ECONNREFUSED'),
    { ...LOCAL, url: unknown },
    'network',
    refused(unknown, `Is the model server running? ${CORRECT}`),
  );
  const far = 'https://models.example.com';
  check(
    'a server elsewhere',
    thrown('ECONNREFUSED'),
    { ...LOCAL, url: far },
    'network',
    refused(far, 'Check the setting lathe.baseUrl.'),
  );
  check(
    'every address of a host refuses',
    new TypeError('fetch failed', {
      cause: new AggregateError([Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })]),
    }),
    OWN,
    'network',
    refused(OWN.url, 'Check the internet connection and the editor’s proxy settings.'),
  );
  check(
    'no such host',
    thrown('ENOTFOUND'),
    OWN,
    'network',
    `The address ${OWN.url} cannot be found. Check the internet connection.`,
  );
  check(
    'a certificate is not waited for',
    thrown('SELF_SIGNED_CERT_IN_CHAIN'),
    OWN,
    'not_api',
    `The certificate of ${OWN.url} is not trusted (SELF_SIGNED_CERT_IN_CHAIN). Check the address and the editor's proxy and certificate settings (http.*).`,
  );
  check(
    'a port that fetch refuses',
    new TypeError('fetch failed', { cause: new Error('bad port') }),
    OWN,
    'not_api',
    `The port of ${OWN.url} is one that HTTP requests must not use. Correct the setting lathe.baseUrl, for example http://localhost:11434.`,
  );
  check('anything else', thrown('EPIPE'), OWN, 'network', `The connection to ${OWN.url} broke (EPIPE).`);
  check('no code at all', new Error('odd sk-1'), OWN, 'network', `The connection to ${OWN.url} broke (odd [API key]).`);

  it('keeps a fault that is one already', () => {
    const fault = new ProviderFault('stalled', 'Silence.');
    assert.equal(faultOf(new Error('wrapped', { cause: fault }), LOCAL), fault);
  });
});
