import type { DeclareRoute, ResourceUrl } from '@emu/control-client';
import {
  accessPointDirectory,
  type ControlRoute,
  controlRoute,
  resourceEndpoint,
  type ServiceHandle,
} from '@emu/core/service';
import { actorOf } from './events/actor.ts';
import { type LifecycleResult, runLifecycle } from './lifecycle/evaluation.ts';
import type { S3State } from './state.ts';

type Handle = ServiceHandle<S3State>;

const route: DeclareRoute<Handle, ControlRoute<S3State>> = controlRoute;

/** Notifications of all accounts' buckets, oldest first. */
const notifications = route('GET /_emulator/s3/notifications', (_request, service) => {
  const all = [...service.states()].flatMap(({ state }) => state.notifications.list());
  all.sort((a, b) => (a.timestamp < b.timestamp ? -1 : a.timestamp > b.timestamp ? 1 : 0));
  return { json: { notifications: all } };
});

/** Runs the lifecycle processor of all accounts once. */
const lifecycleTick = route('POST /_emulator/s3/lifecycle-processor/tick', async (_request, service) => {
  const total: LifecycleResult = {
    processedBuckets: 0,
    expiredObjects: 0,
    transitionedObjects: 0,
    expiredDeleteMarkers: 0,
    abortedMultipartUploads: 0,
  };
  for (const { state } of service.states()) {
    const one = await runLifecycle(actorOf(state), state);
    for (const name of Object.keys(total) as (keyof LifecycleResult)[]) total[name] += one[name];
  }
  return { json: total };
});

/** Access points of all accounts and regions, in order of their ARNs. */
const accessPoints = route('GET /_emulator/s3/access-points', async (_request, service) => {
  const points = [...((await service.capability(accessPointDirectory))?.all() ?? [])].sort((a, b) =>
    a.arn < b.arn ? -1 : 1,
  );
  const accessPoints = points.map(
    ({ accountId, region, name, arn, alias, bucket, networkOrigin, vpcId, createdAt }) => ({
      accountId,
      region,
      name,
      arn,
      alias,
      bucket,
      networkOrigin,
      ...(vpcId !== undefined && { vpcId }),
      createdAt: new Date(createdAt).toISOString(),
    }),
  );
  return { json: { accessPoints } };
});

/** Recent function responses behind Object Lambda access points, oldest first. */
const objectLambdaResponses = route('GET /_emulator/s3/object-lambda-responses', async (_request, service) => {
  const lists = await Promise.all([...service.states()].map(({ state }) => state.objectLambda.list()));
  const responses = lists.flat().sort((a, b) => (a.timestamp < b.timestamp ? -1 : 1));
  return { json: { responses } };
});

/** Lists the local addresses of all websites of buckets. */
const urls = route('GET /_emulator/s3/urls', ({ endpoint }, service) => {
  const { protocol, domain } = resourceEndpoint(endpoint, service.settings.domain);
  const found: ResourceUrl[] = [];
  for (const { accountId, state } of service.states())
    for (const { name, region, record } of state.buckets()) {
      if (record.configurations.website === undefined) continue;
      found.push({ accountId, region, name, url: `${protocol}//${name}.s3-website.${region}.${domain}/` });
    }
  return { json: { urls: found } };
});

/** Control routes of S3. */
export const control: readonly ControlRoute<S3State>[] = [
  notifications,
  lifecycleTick,
  accessPoints,
  objectLambdaResponses,
  urls,
];
