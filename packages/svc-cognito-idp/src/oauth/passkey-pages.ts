import type { DataPlaneResponse } from '@emu/core/service';
import { AwsError } from '@emu/wire';
import { jsonOf } from '../passkeys/credential.ts';
import { beginRegistration, completeRegistration } from '../passkeys/registration.ts';
import { browserUser } from './browser-session.ts';
import { errorPage, formPage } from './pages.ts';
import { clientOf, isFromPage, readForm, redirect, type SiteRequest } from './site.ts';

/** Returns a script that calls the browser's passkey API on submit and sends the result. */
const script = (call: 'create' | 'get', parse: string): string =>
  [
    'const form=document.forms[0];',
    "form.addEventListener('submit',async(event)=>{",
    'if(form.CREDENTIAL.value)return;',
    'event.preventDefault();',
    `const publicKey=PublicKeyCredential.${parse}(JSON.parse(form.options.value));`,
    `const credential=await navigator.credentials.${call}({publicKey});`,
    'form.CREDENTIAL.value=JSON.stringify(credential.toJSON());',
    'form.submit();',
    '});',
  ].join('');

/**
 * Returns the page that requests a passkey for a sign-in.
 * @param hidden hidden fields
 * @param options JSON
 */
export function passkeyPage(
  request: SiteRequest,
  action: string,
  hidden: Readonly<Record<string, string>>,
  options: string,
): DataPlaneResponse {
  return formPage(request, {
    title: 'Sign in with a passkey',
    action,
    fields: [],
    button: 'Continue',
    hidden: { ...hidden, options, CREDENTIAL: '' },
    script: script('get', 'parseRequestOptionsFromJSON'),
  });
}

/**
 * Serves the page where signed-in users register a passkey.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/managed-login-endpoints.html
 */
export async function addPasskeyPage(request: SiteRequest): Promise<DataPlaneResponse> {
  const { query, http } = request;
  const located = clientOf(request, query.get('client_id'));
  if (!located) return errorPage(request, 'Invalid client', 'client_id is missing or not a client of this user pool.');
  const redirectUri = query.get('redirect_uri');
  if (redirectUri === null || !located.client.callbackUrls?.includes(redirectUri))
    return errorPage(request, 'redirect_mismatch', 'redirect_uri is not one of the callback URLs of the client.');
  const user = browserUser(request);
  if (!user) return errorPage(request, 'Not signed in', 'Sign in before you add a passkey.', 401);
  try {
    if (http.method === 'POST') {
      const form = await readForm(request);
      if (!form || !isFromPage(request, form))
        return errorPage(request, 'Invalid request', 'The page has expired: open it again.', 403);
      await completeRegistration({ ...located, user }, jsonOf(form.get('CREDENTIAL') ?? ''));
      return redirect(redirectUri);
    }
    const options = JSON.stringify(beginRegistration({ ...located, user }));
    const base = new URL(request.base).pathname.replace(/\/*$/, '');
    return formPage(request, {
      title: 'Add a passkey',
      action: `${base}/passkeys/add?${query.toString()}`,
      fields: [],
      button: 'Create a passkey',
      hidden: { options, CREDENTIAL: '' },
      links: [{ label: 'Not now', href: redirectUri }],
      script: script('create', 'parseCreationOptionsFromJSON'),
    });
  } catch (error) {
    if (!(error instanceof AwsError) || (error.status ?? 400) >= 500) throw error;
    return errorPage(request, 'Passkey refused', error.message);
  }
}
