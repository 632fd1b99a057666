import { createHmac } from 'node:crypto';
import type { DataPlaneResponse } from '@emu/core/service';
import { AwsError } from '@emu/wire';
import { isVerifiable } from '../users/attributes.ts';
import { isResponse, readAuthorization } from './authorization.ts';
import { errorPage, type Field, formPage, messagePage } from './pages.ts';
import { clientOf, isFromPage, readForm, redirect, type SiteRequest } from './site.ts';

/** A page whose form calls a Cognito operation in place of the client. */
interface OperationPage {
  title: string;
  button: string;
  fields(request: SiteRequest): readonly Field[];
  run(request: SiteRequest, form: URLSearchParams): Promise<unknown>;
  /** Next page. */
  next: string;
}

const USERNAME: Field = { name: 'username', label: 'Username' };
const CODE: Field = { name: 'code', label: 'Code' };
const PASSWORD: Field = { name: 'password', label: 'Password', type: 'password' };

/** Returns the fields for required attributes in a sign-up. */
function attributeFields({ pool }: SiteRequest): Field[] {
  const asked = new Set(pool.settings.UsernameAttributes?.length ? [] : (pool.settings.AutoVerifiedAttributes ?? []));
  const required = pool.schema.filter(({ name, required }) => required && name !== 'sub').map(({ name }) => name);
  return [...new Set([...asked, ...required])].map((name) => ({
    name: `attribute:${name}`,
    label: name,
    ...(isVerifiable(name) && name === 'email' && { type: 'email' as const }),
  }));
}

function clientMembers(request: SiteRequest, username: string): { ClientId: string; SecretHash?: string } {
  const ClientId = request.query.get('client_id')!;
  const [secret] = request.state.clients.get(ClientId)?.secrets ?? [];
  if (!secret) return { ClientId };
  return { ClientId, SecretHash: createHmac('sha256', secret.value).update(`${username}${ClientId}`).digest('base64') };
}

const text = (form: URLSearchParams, name: string): string => form.get(name) ?? '';

const PAGES: Readonly<Record<string, OperationPage>> = {
  '/signup': {
    title: 'Sign up',
    button: 'Sign up',
    fields: (request) => [USERNAME, PASSWORD, ...attributeFields(request)],
    run: (request, form) =>
      request.handle.call(
        'cognito-idp',
        'SignUp',
        {
          ...clientMembers(request, text(form, 'username')),
          Username: text(form, 'username'),
          Password: text(form, 'password'),
          UserAttributes: attributeFields(request).map(({ name, label }) => ({ Name: label, Value: text(form, name) })),
        },
        request.state,
      ),
    next: '/confirm',
  },
  '/confirm': {
    title: 'Confirm your account',
    button: 'Confirm',
    fields: () => [USERNAME, CODE],
    run: (request, form) =>
      request.handle.call(
        'cognito-idp',
        'ConfirmSignUp',
        {
          ...clientMembers(request, text(form, 'username')),
          Username: text(form, 'username'),
          ConfirmationCode: text(form, 'code'),
        },
        request.state,
      ),
    next: '/login',
  },
  '/forgotPassword': {
    title: 'Forgot your password?',
    button: 'Send a code',
    fields: () => [USERNAME],
    run: (request, form) =>
      request.handle.call(
        'cognito-idp',
        'ForgotPassword',
        { ...clientMembers(request, text(form, 'username')), Username: text(form, 'username') },
        request.state,
      ),
    next: '/confirmForgotPassword',
  },
  '/confirmForgotPassword': {
    title: 'Choose a new password',
    button: 'Change the password',
    fields: () => [USERNAME, CODE, { ...PASSWORD, label: 'New password' }],
    run: (request, form) =>
      request.handle.call(
        'cognito-idp',
        'ConfirmForgotPassword',
        {
          ...clientMembers(request, text(form, 'username')),
          Username: text(form, 'username'),
          ConfirmationCode: text(form, 'code'),
          Password: text(form, 'password'),
        },
        request.state,
      ),
    next: '/login',
  },
};

/** Returns links to the client's terms, in the default language. */
const termsOf = ({ state, query }: SiteRequest): { label: string; href: string }[] =>
  [...state.terms.values()]
    .filter(({ clientId }) => clientId === query.get('client_id'))
    .map(({ name, links }) => ({
      label: name === 'privacy-policy' ? 'Privacy policy' : 'Terms of use',
      href: links['cognito:default']!,
    }));

/** Whether a path is that of an operation page. */
export const isOperationPage = (path: string): boolean => Object.hasOwn(PAGES, path);

/** Serves the pages for sign-up, confirmation and password reset. */
export async function operationPage(request: SiteRequest): Promise<DataPlaneResponse> {
  const page = PAGES[request.path]!;
  const authorization = readAuthorization(request, request.query);
  if (isResponse(authorization)) return authorization;
  const base = new URL(request.base).pathname.replace(/\/*$/, '');
  const query = request.query.toString();
  const show = (error?: string): DataPlaneResponse =>
    formPage(request, {
      title: page.title,
      action: `${base}${request.path}?${query}`,
      fields: page.fields(request),
      button: page.button,
      error,
      links: [
        { label: 'Sign in', href: `${base}/login?${query}` },
        ...(request.path === '/signup' ? termsOf(request) : []),
      ],
    });
  if (request.http.method !== 'POST') return show();
  const form = await readForm(request);
  if (!form || !isFromPage(request, form))
    return errorPage(request, 'Invalid request', 'The page has expired: open it again.', 403);
  try {
    await page.run(request, form);
  } catch (error) {
    if (!(error instanceof AwsError) || (error.status ?? 400) >= 500) throw error;
    return show(error.message);
  }
  return redirect(`${request.base}${page.next}?${query}`);
}

/**
 * Confirms the user of an e-mail link.
 * @see https://docs.aws.amazon.com/cognito/latest/developerguide/cognito-user-pool-settings-message-customizations.html
 */
export async function confirmByLink(request: SiteRequest): Promise<DataPlaneResponse> {
  const { query, http, handle, state } = request;
  // GET has no effect, so that link scanners of mail servers confirm nothing.
  if (http.method !== 'GET') return errorPage(request, 'Invalid request', 'Open the link of the e-mail.', 405);
  if (!clientOf(request, query.get('client_id')))
    return errorPage(request, 'Invalid request', 'client_id is missing or not a client of this user pool.');
  const Username = query.get('user_name') ?? '';
  const input = { Username, ConfirmationCode: query.get('confirmation_code') ?? '' };
  try {
    await handle.call('cognito-idp', 'ConfirmSignUp', { ...clientMembers(request, Username), ...input }, state);
  } catch (error) {
    if (!(error instanceof AwsError) || (error.status ?? 400) >= 500) throw error;
    return errorPage(request, 'Invalid link', error.message);
  }
  return messagePage(request, 'Confirmed', 'Your registration has been confirmed!');
}
