import type { AnsweredRequest, ServiceHandle } from '@emu/core';
import { findIn } from '../buckets/lookup.ts';
import { countRequest } from '../reports/analytics.ts';
import type { S3State } from '../state.ts';
import { deliverAccessLog } from './access-logging.ts';

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** What is done about an answered request, where `EMULATOR_S3_EAGER_DELIVERY` says so: it is counted and logged. */
export async function observe(request: AnsweredRequest, handle: ServiceHandle<S3State>): Promise<void> {
  const [, name = '', key = ''] = /^\/([^/]*)\/?(.*)$/s.exec(request.http.path)!;
  const bucket = name === '' ? undefined : findIn(handle, decode(name));
  if (!bucket) return;
  handle.state(bucket.accountId, bucket.region).requests.count(bucket.name, request, key !== '');
  if (key !== '') countRequest(request, bucket, decode(key), handle);
  await deliverAccessLog(request, bucket, key === '' ? undefined : decode(key), handle);
}
