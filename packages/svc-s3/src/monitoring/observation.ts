import { type AnsweredRequest, percentDecoded, type ServiceHandle } from '@emu/core/service';
import { findIn, stateOf } from '../lookup.ts';
import { S3_OPTIONS } from '../options.ts';
import { countRequest } from '../reports/analytics.ts';
import type { S3State } from '../state.ts';
import { deliverAccessLog } from './access-logging.ts';
import { reportRequest } from './cloudwatch-metrics.ts';

/** Observes requests: reports metrics to CloudWatch, and with `EMULATOR_S3_EAGER_DELIVERY` counts and logs requests. */
export async function observe(request: AnsweredRequest, handle: ServiceHandle<S3State>): Promise<void> {
  // Access logs and request metrics exclude calls between services.
  if (request.http === undefined) return;
  reportRequest(request, handle);
  if (!handle.settings.of(S3_OPTIONS).EMULATOR_S3_EAGER_DELIVERY) return;
  const [bucketName, key] = partsOf(request.http.path);
  const bucket = bucketName === undefined ? undefined : findIn(handle, bucketName);
  if (!bucket) return;
  stateOf({ handle }, bucket).requests.count(bucket.name, request, key !== undefined);
  if (key !== undefined) countRequest(request, bucket, key, handle);
  await deliverAccessLog(request, bucket, key, handle);
}

/** Returns the bucket and key of a path, if present. */
function partsOf(path: string): (string | undefined)[] {
  const [, ...parts] = /^\/([^/]*)\/?(.*)$/s.exec(path)!;
  return parts.map((part) => (part === '' ? undefined : percentDecoded(part)));
}
