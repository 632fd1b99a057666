import { STATUS_CODES } from 'node:http';
import {
  type DataPlaneRequest,
  type DataPlaneResponse,
  type DeepReadonly,
  percentDecoded,
  type ServiceHandle,
} from '@emu/core/service';
import type { GetObjectOutput, Redirect, RoutingRule, WebsiteConfiguration } from '@emu/service-types/s3';
import { AwsError } from '@emu/wire';
import type { Bucket } from '../buckets/bucket.ts';
import { noSuchBucket, noSuchKey, s3Error } from '../errors.ts';
import type { S3State } from '../state.ts';

type Website = DeepReadonly<WebsiteConfiguration>;

const single = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value);

/**
 * Handles a request to a website endpoint.
 * @param bucket undefined if the bucket of the host is missing
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/WebsiteEndpoints.html
 */
export async function serveWebsite(
  request: DataPlaneRequest,
  name: string,
  bucket: Bucket | undefined,
  handle: ServiceHandle<S3State>,
): Promise<DataPlaneResponse> {
  try {
    if (!bucket) throw noSuchBucket(name);
    const website = bucket.record.configurations.website;
    if (!website)
      throw s3Error('NoSuchWebsiteConfiguration', 'The specified bucket does not have a website configuration', {
        status: 404,
        members: { BucketName: name },
      });
    return await new Page(request, bucket, website, handle).answer();
  } catch (error) {
    if (!(error instanceof AwsError)) throw error;
    return errorPage(request, error);
  }
}

/** A website request. */
class Page {
  constructor(
    private readonly request: DataPlaneRequest,
    private readonly bucket: Bucket,
    private readonly website: Website,
    private readonly handle: ServiceHandle<S3State>,
  ) {}

  async answer(): Promise<DataPlaneResponse> {
    const { request, website } = this;
    const { RedirectAllRequestsTo: all } = website;
    if (request.method !== 'GET' && request.method !== 'HEAD')
      throw s3Error('MethodNotAllowed', 'The specified method is not allowed against this resource.', {
        status: 405,
        members: { Method: request.method, ResourceType: 'OBJECT' },
      });
    if (all) return redirected(301, `${all.Protocol ?? 'http'}://${all.HostName}${request.path}`);
    const path = percentDecoded(request.path.slice(1));
    const rule = this.rule(path, undefined);
    if (rule) return this.redirect(rule, path);
    const key = path === '' || path.endsWith('/') ? path + website.IndexDocument!.Suffix : path;
    try {
      return await this.object(key, 200);
    } catch (error) {
      if (!(error instanceof AwsError)) throw error;
      return await this.failed(error, path, key);
    }
  }

  private async failed(error: AwsError, path: string, key: string): Promise<DataPlaneResponse> {
    const { website, bucket } = this;
    if (error.status === 304 || error.status === 416) throw error;
    const index = `${key}/${website.IndexDocument!.Suffix}`;
    if (key === path && bucket.objects.current(index)) return redirected(302, `${this.request.path}/`);
    const failure = error.code === 'NoSuchKey' ? noSuchKey(key) : error;
    const status = failure.status ?? 404;
    const rule = this.rule(path, String(status));
    if (rule) return this.redirect(rule, path);
    const document = website.ErrorDocument?.Key;
    if (document === undefined) return errorPage(this.request, failure);
    try {
      return await this.object(document, status);
    } catch (nested) {
      if (!(nested instanceof AwsError)) throw nested;
      return errorPage(this.request, failure, noSuchKey(document));
    }
  }

  /** @param error status of an earlier error; undefined for the first lookup */
  private rule(path: string, error: string | undefined): DeepReadonly<RoutingRule> | undefined {
    return this.website.RoutingRules?.find(({ Condition: condition }) => {
      if (condition?.KeyPrefixEquals !== undefined && !path.startsWith(condition.KeyPrefixEquals)) return false;
      return condition?.HttpErrorCodeReturnedEquals === error;
    });
  }

  private redirect({ Redirect: to, Condition: condition }: DeepReadonly<RoutingRule>, path: string): DataPlaneResponse {
    const host = to.HostName ?? single(this.request.headers.host) ?? '';
    const protocol = to.Protocol ?? (this.request.secure ? 'https' : 'http');
    const target = targetOf(to, condition?.KeyPrefixEquals ?? '', path);
    const encoded = target.split('/').map(encodeURIComponent).join('/');
    return redirected(Number(to.HttpRedirectCode ?? 301), `${protocol}://${host}/${encoded}`);
  }

  /**
   * Returns an object as a page.
   * @throws AwsError errors of GetObject
   */
  private async object(key: string, status: number): Promise<DataPlaneResponse> {
    const version = this.bucket.objects.current(key);
    const location = version?.websiteRedirectLocation;
    if (location !== undefined && status === 200) return redirected(301, location);
    const { headers } = this.request;
    const conditional = status === 200;
    const found = await this.handle.call(
      's3',
      'GetObject',
      {
        Bucket: this.bucket.name,
        Key: key,
        ...(conditional && headers['if-none-match'] && { IfNoneMatch: single(headers['if-none-match']) }),
        ...(conditional && headers['if-match'] && { IfMatch: single(headers['if-match']) }),
        ...(conditional && headers.range && { Range: single(headers.range) }),
      },
      { accountId: this.bucket.accountId, region: this.bucket.region, cause: this.request.requestId },
    );
    return {
      status: found.ContentRange === undefined ? status : 206,
      headers: pageHeaders(found),
      body: found.Body!,
    };
  }
}

function targetOf(to: DeepReadonly<Redirect>, prefix: string, path: string): string {
  if (to.ReplaceKeyWith !== undefined) return to.ReplaceKeyWith;
  return to.ReplaceKeyPrefixWith === undefined ? path : to.ReplaceKeyPrefixWith + path.slice(prefix.length);
}

function pageHeaders(found: GetObjectOutput): Record<string, string> {
  const headers: Record<string, string> = {
    'content-type': found.ContentType ?? 'binary/octet-stream',
    'content-length': String(found.ContentLength ?? 0),
    etag: found.ETag ?? '',
    'last-modified': found.LastModified?.toUTCString() ?? '',
  };
  const optional: [string, string | undefined][] = [
    ['cache-control', found.CacheControl],
    ['content-disposition', found.ContentDisposition],
    ['content-encoding', found.ContentEncoding],
    ['content-language', found.ContentLanguage],
    ['content-range', found.ContentRange],
    ['expires', found.Expires],
  ];
  for (const [name, value] of optional) if (value !== undefined) headers[name] = value;
  for (const [name, value] of Object.entries(found.Metadata ?? {})) headers[`x-amz-meta-${name}`] = value;
  return headers;
}

const redirected = (status: number, location: string): DataPlaneResponse => ({
  status,
  headers: { location },
  body: '',
});

const toHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

function listed(error: AwsError, ids?: string): string {
  const members = Object.entries(error.members ?? {}).map(
    ([name, value]) => `<li>${name}: ${toHtml(String(value))}</li>\n`,
  );
  return `<ul>\n<li>Code: ${error.code}</li>\n<li>Message: ${toHtml(error.message)}</li>\n${members.join('')}${ids ?? ''}</ul>\n`;
}

/**
 * Returns S3's HTML error page.
 * @param custom why the custom error document is unavailable
 */
function errorPage({ requestId, method }: DataPlaneRequest, error: AwsError, custom?: AwsError): DataPlaneResponse {
  const status = error.status ?? 404;
  if (status === 304) return { status, headers: { ...error.headers }, body: '' };
  const title = `${status} ${STATUS_CODES[status] ?? ''}`;
  const ids = `<li>RequestId: ${requestId}</li>\n<li>HostId: ${Buffer.from(requestId).toString('base64')}</li>\n`;
  const more = custom
    ? `<h3>An Error Occurred While Attempting to Retrieve a Custom Error Document</h3>\n${listed(custom)}`
    : '';
  const body = `<html>\n<head><title>${title}</title></head>\n<body>\n<h1>${title}</h1>\n${listed(error, ids)}${more}<hr/>\n</body>\n</html>\n`;
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'x-amz-error-code': error.code,
      'x-amz-error-message': error.message,
    },
    body: method === 'HEAD' ? '' : body,
  };
}
