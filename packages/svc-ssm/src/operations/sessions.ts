import { numericKey } from '@emu/core/service';
import type { InputOf, OutputOf, SessionFilter } from '@emu/service-types/ssm';
import { checkCommandParameters } from '../commands/sending.ts';
import type { SsmContext } from '../context.ts';
import { resolveDocument } from '../documents/resolve.ts';
import { invalid, ssmError } from '../errors.ts';
import { paging } from '../paging.ts';
import { DATA_CHANNEL } from '../paths.ts';
import { planOf } from '../sessions/plan.ts';
import type { Session } from '../sessions/records.ts';
import { isPast } from '../sessions/sessions.ts';

/** Default document of sessions. */
const DEFAULT_DOCUMENT = 'SSM-SessionManagerRunShell';
const MINUTE = 60_000;
const ID_CHARACTERS = '0123456789abcdefghijklmnopqrstuvwxyz';

/** Returns the connection data of a session. */
const channelOf = (id: string, ctx: SsmContext) => ({
  SessionId: id,
  TokenValue: ctx.state.sessions.issueToken(id),
  StreamUrl: `${ctx.endpoint.replace(/^http/, 'ws')}${DATA_CHANNEL}${encodeURIComponent(id)}?role=publish_subscribe`,
});

/**
 * Returns a session of the request's account.
 * @throws AwsError `DoesNotExistException`
 */
function sessionOf(id: string, ctx: SsmContext): Session {
  const session = ctx.state.sessions.get(id);
  if (!session) throw ssmError('DoesNotExistException', `Session with ID ${id} does not exist.`);
  return session;
}

const accessTypeOf = ({ accessRequest }: Session) => (accessRequest === undefined ? 'Standard' : 'JustInTime');

/**
 * Returns the access request whose token starts a session; undefined for other callers.
 * @throws AwsError `AccessDeniedException` if the access has ended or is for other nodes
 */
function justInTime(target: string, { principal, state }: SsmContext): string | undefined {
  const id = /:assumed-role\/[^/]+\/(oi-[0-9a-f]{12})$/.exec(principal.arn)?.[1];
  const request = id === undefined ? undefined : state.access.get(id);
  if (!request) return undefined;
  if (state.access.statusOf(request) !== 'Approved' || !request.nodes.includes(target))
    throw ssmError('AccessDeniedException', `Access request ${request.id} does not give access to ${target} now.`);
  return request.id;
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_StartSession.html */
export async function StartSession(input: InputOf<'StartSession'>, ctx: SsmContext): Promise<OutputOf<'StartSession'>> {
  const { Target, DocumentName = DEFAULT_DOCUMENT, Reason, Parameters = {} } = input;
  const document = resolveDocument(ctx.state, DocumentName);
  if (document.type !== 'Session')
    throw ssmError('InvalidDocument', `Document type is not supported. Document name: ${DocumentName}`);
  checkCommandParameters(document, Parameters);
  const node = await ctx.state.nodes.get(Target);
  if (!node?.online) throw ssmError('TargetNotConnected', `${Target} is not connected.`);
  const accessRequest = justInTime(Target, ctx);
  const plan = planOf(document.content, Parameters, node.platform);
  const { idle, longest = Number.POSITIVE_INFINITY } = plan;
  const now = Math.floor(ctx.clock.now());
  const name = ctx.principal.arn.split(/[/:]/).at(-1)!;
  const { id } = ctx.state.sessions.put({
    id: `${name}-${ctx.ids.chars(17, ID_CHARACTERS)}`,
    target: Target,
    status: 'Connected',
    owner: ctx.principal.arn,
    documentName: DocumentName,
    ...(Reason !== undefined && { reason: Reason }),
    startedAt: now,
    endsBy: now + Math.min(idle, longest),
    ...(accessRequest !== undefined && { accessRequest }),
    ...(plan.longest !== undefined && { maxDuration: String(plan.longest / MINUTE) }),
    plan,
  });
  return channelOf(id, ctx);
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_ResumeSession.html */
export function ResumeSession(input: InputOf<'ResumeSession'>, ctx: SsmContext): OutputOf<'ResumeSession'> {
  const session = sessionOf(input.SessionId, ctx);
  if (isPast(session)) throw ssmError('DoesNotExistException', `Session with ID ${session.id} has ended.`);
  return channelOf(session.id, ctx);
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_TerminateSession.html */
export function TerminateSession(input: InputOf<'TerminateSession'>, ctx: SsmContext): OutputOf<'TerminateSession'> {
  const session = sessionOf(input.SessionId, ctx);
  if (!isPast(session)) ctx.state.sessions.terminate(session.id);
  return { SessionId: session.id };
}

function testOf({ key, value }: SessionFilter): (session: Session) => boolean {
  const time = (): number => {
    const parsed = Date.parse(value);
    if (Number.isNaN(parsed)) throw invalid(`The filter value ${value} is not a timestamp.`);
    return parsed;
  };
  switch (key) {
    case 'InvokedAfter': {
      const from = time();
      return ({ startedAt }) => startedAt >= from;
    }
    case 'InvokedBefore': {
      const to = time();
      return ({ startedAt }) => startedAt < to;
    }
    case 'Target':
      return ({ target }) => target === value;
    case 'Owner':
      return ({ owner }) => owner === value;
    case 'Status':
      return ({ status }) => status === value;
    case 'SessionId':
      return ({ id }) => id === value;
    default:
      return (session) => accessTypeOf(session) === value;
  }
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_DescribeSessions.html */
export function DescribeSessions(input: InputOf<'DescribeSessions'>, ctx: SsmContext): OutputOf<'DescribeSessions'> {
  const tests = (input.Filters ?? []).map(testOf);
  const found = [...ctx.state.sessions.all()]
    .map((session, order) => ({ session, order }))
    .filter(({ session }) => isPast(session) === (input.State === 'History') && tests.every((test) => test(session)))
    .reverse();
  return paging
    .page('DescribeSessions', input, found, ({ order }) => numericKey(order), { descending: true })
    .list(({ session }) => ({
      SessionId: session.id,
      Target: session.target,
      Status: session.status,
      StartDate: new Date(session.startedAt),
      ...(session.endedAt !== undefined && { EndDate: new Date(session.endedAt) }),
      ...(session.documentName !== undefined && { DocumentName: session.documentName }),
      Owner: session.owner,
      ...(session.reason !== undefined && { Reason: session.reason }),
      OutputUrl: {},
      ...(session.maxDuration !== undefined && { MaxSessionDuration: session.maxDuration }),
      AccessType: accessTypeOf(session),
    }));
}

/** @see https://docs.aws.amazon.com/systems-manager/latest/APIReference/API_GetConnectionStatus.html */
export async function GetConnectionStatus(
  input: InputOf<'GetConnectionStatus'>,
  ctx: SsmContext,
): Promise<OutputOf<'GetConnectionStatus'>> {
  const node = await ctx.state.nodes.get(input.Target);
  return { Target: input.Target, Status: node?.online ? 'connected' : 'notconnected' };
}
