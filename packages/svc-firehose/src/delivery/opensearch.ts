import { parseJson } from '@emu/wire';
import { post } from '../destinations/outgoing.ts';
import { formatTime } from '../destinations/timestamps.ts';
import type { RecordResults, Refused, ServiceDelivery } from './service.ts';

/** Time suffix of an index name, by rotation period. */
const ROTATIONS: Readonly<Record<string, (time: number) => string>> = {
  OneHour: (time) => formatTime(time, '-yyyy-MM-dd-HH', ''),
  OneDay: (time) => formatTime(time, '-yyyy-MM-dd', ''),
  OneWeek: (time) => weekOf(time),
  OneMonth: (time) => formatTime(time, '-yyyy-MM', ''),
};

const DAY = 86_400_000;

/** Returns an ISO 8601 week, which belongs to the year of its Thursday. */
function weekOf(time: number): string {
  const days = Math.floor(time / DAY);
  // The epoch was a Thursday.
  const thursday = days - ((days + 3) % 7) + 3;
  const year = new Date(thursday * DAY).getUTCFullYear();
  const week = Math.floor((thursday - Date.UTC(year, 0, 1) / DAY) / 7) + 1;
  return `-${year}-w${String(week).padStart(2, '0')}`;
}

interface Own {
  readonly ClusterEndpoint?: string;
  readonly CollectionEndpoint?: string;
  readonly IndexName: string;
  readonly TypeName?: string;
  readonly IndexRotationPeriod?: string;
  readonly DocumentIdOptions?: { readonly DefaultDocumentIdFormat?: string };
}

/** An item in a bulk response. */
interface BulkItem {
  readonly index?: { readonly status?: number; readonly error?: { readonly type?: string; readonly reason?: string } };
}

/** A document with its target. */
interface Document {
  readonly index: string;
  readonly id: string | undefined;
  readonly text: string;
}

/**
 * Indexes records in OpenSearch or Elasticsearch by the bulk API.
 * @see https://docs.aws.amazon.com/firehose/latest/dev/create-destination.html#create-destination-opensearch
 */
export async function indexDocuments(delivery: ServiceDelivery): Promise<RecordResults> {
  const { destination, pieces } = delivery;
  const own = destination.own as unknown as Own;
  const endpoint = own.ClusterEndpoint ?? own.CollectionEndpoint;
  const prefix = destination.family === 'Elasticsearch' ? 'ES' : 'OS';
  const documents = pieces.map((_, index) => documentOf(delivery, own, index));
  const verdict = (index: number, code: string, message: string, final: boolean): Refused => {
    const { id = '', index: esIndexName } = documents[index]!;
    const esTypeName = own.TypeName ?? '';
    return { code: `${prefix}.${code}`, message, final, more: { esDocumentId: id, esIndexName, esTypeName } };
  };
  const all = (code: string, message: string, final = false): RecordResults =>
    pieces.map((_, index) => verdict(index, code, message, final));
  // Finding a domain requires its service, which emu does not have.
  if (endpoint === undefined) return all('DomainNotFound', 'The domain cannot be reached by its ARN.', true);
  const body = documents.map(({ index, id, text }) => {
    const action = {
      _index: index,
      ...(own.TypeName && { _type: own.TypeName }),
      ...(id !== undefined && { _id: id }),
    };
    return `${JSON.stringify({ index: action })}\n${text}\n`;
  });
  let answer: { status: number; text: string };
  try {
    const url = `${endpoint.replace(/\/$/, '')}/_bulk`;
    answer = await post(
      delivery.state.names,
      url,
      { 'content-type': 'application/x-ndjson' },
      Buffer.from(body.join('')),
    );
  } catch (error) {
    return all('ConnectionError', (error as Error).message);
  }
  if (answer.status === 401 || answer.status === 403) return all('AccessDenied', answer.text);
  if (answer.status !== 200) return all('ServiceException', `${answer.status}: ${answer.text}`, answer.status === 400);
  const items = itemsIn(answer.text);
  if (items?.length !== pieces.length) return all('ServiceException', 'The response of the bulk request is not valid.');
  return items.map(({ index }, place): Refused | undefined => {
    const { status = 0, error } = index ?? {};
    if (!error && status < 300) return undefined;
    // Documents rejected for load are retried; invalid ones are not.
    const final = status >= 400 && status < 500 && status !== 429;
    return verdict(place, String(status), error?.reason ?? error?.type ?? `The status is ${status}.`, final);
  });
}

function documentOf({ batch, pieces }: ServiceDelivery, own: Own, place: number): Document {
  const { arrivedAt, data } = pieces[place]!;
  const rotation = ROTATIONS[own.IndexRotationPeriod ?? ''];
  const index = rotation === undefined ? own.IndexName : own.IndexName + rotation(arrivedAt);
  const hasId = own.DocumentIdOptions?.DefaultDocumentIdFormat === 'FIREHOSE_DEFAULT';
  const text = Buffer.from(data, 'base64').toString('utf8').replaceAll(/\r?\n/g, ' ');
  // The same ids in each attempt, so that documents are not indexed twice.
  return { index, id: hasId ? `${batch.id}.${batch.keys[place]}` : undefined, text };
}

function itemsIn(text: string): BulkItem[] | undefined {
  try {
    const { items } = parseJson(text) as { items?: BulkItem[] };
    return Array.isArray(items) ? items : undefined;
  } catch {
    return undefined;
  }
}
