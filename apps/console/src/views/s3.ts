import { call, download, type Json, upload } from '../api.ts';
import { button, code, field, fill, form, h, heading, link, save, table, tell } from '../dom.ts';
import { reload, type View } from '../view.ts';

/** Maximum bytes of an object preview. */
const MAX_PREVIEW = 2 * 1024 * 1024;

const sizeOf = (bytes: number): string =>
  bytes < 1024
    ? `${bytes} B`
    : bytes < 1024 ** 2
      ? `${(bytes / 1024).toFixed(1)} KiB`
      : `${(bytes / 1024 ** 2).toFixed(1)} MiB`;
const shownTime = (text: string): string => text.replace('T', ' ').replace(/\.\d+Z$/, '');

/** Buckets, their objects by prefix, uploads and previews. */
export const s3: View = (main, [bucket, mode, text = '']) => {
  if (bucket === undefined) return buckets(main);
  return mode === 'object' ? preview(main, bucket, text) : objects(main, bucket, text);
};

async function buckets(main: HTMLElement): Promise<void> {
  const { Buckets = [] } = await call('s3', 'ListBuckets');
  const name = h('input', { required: true, placeholder: 'my-bucket' });
  const rows = Buckets.map(({ Name, CreationDate }: Json) => [
    link(Name, 's3', Name),
    shownTime(CreationDate),
    button(
      'Delete',
      async () => {
        await call('s3', 'DeleteBucket', { Bucket: Name });
        reload();
      },
      'danger',
    ),
  ]);
  const create = async () => {
    await call('s3', 'CreateBucket', { Bucket: name.value });
    reload();
  };
  fill(
    main,
    heading('S3 buckets', button('Refresh', reload)),
    table(['Name', 'Created', ''], rows, 'No buckets yet.'),
    form(create, 'Create bucket', field('Bucket name', name)),
  );
}

function crumbs(bucket: string, prefix: string): HTMLElement {
  const parts = prefix.split('/').filter(Boolean);
  const links = parts.map((part, index) =>
    link(part, 's3', bucket, 'prefix', `${parts.slice(0, index + 1).join('/')}/`),
  );
  const all = [link('Buckets', 's3'), link(bucket, 's3', bucket), ...links];
  return h(
    'nav',
    { className: 'crumbs', ariaLabel: 'Path' },
    ...all.flatMap((each, index) => (index ? [' / ', each] : [each])),
  );
}

async function objects(main: HTMLElement, bucket: string, prefix: string): Promise<void> {
  const { Contents, CommonPrefixes, IsTruncated } = await call('s3', 'ListObjectsV2', {
    Bucket: bucket,
    Prefix: prefix,
    Delimiter: '/',
  });
  const folders = (CommonPrefixes ?? []).map(({ Prefix }: Json) => [
    link(Prefix.slice(prefix.length), 's3', bucket, 'prefix', Prefix),
    '',
    '',
    '',
  ]);
  const files = (Contents ?? []).map(({ Key, Size, LastModified }: Json) => [
    link(Key.slice(prefix.length) || Key, 's3', bucket, 'object', Key),
    sizeOf(Size),
    shownTime(LastModified),
    button(
      'Delete',
      async () => {
        await call('s3', 'DeleteObject', { Bucket: bucket, Key });
        reload();
      },
      'danger',
    ),
  ]);
  const chosen = h('input', { type: 'file', multiple: true, required: true });
  const uploadAll = async () => {
    for (const file of chosen.files ?? []) {
      const ContentType = file.type || 'application/octet-stream';
      await upload('s3', 'PutObject', { Bucket: bucket, Key: prefix + file.name, ContentType }, file);
    }
    tell(`${chosen.files?.length ?? 0} uploaded`);
    reload();
  };
  fill(
    main,
    heading(bucket, button('Refresh', reload)),
    crumbs(bucket, prefix),
    table(['Name', 'Size', 'Modified', ''], [...folders, ...files], 'No objects here.'),
    IsTruncated && h('p', { className: 'empty' }, 'Only the first 1,000 are shown; a prefix narrows them down.'),
    form(uploadAll, 'Upload', field('Files', chosen)),
  );
}

async function preview(main: HTMLElement, bucket: string, key: string): Promise<void> {
  const head = await call('s3', 'HeadObject', { Bucket: bucket, Key: key });
  const { TagSet = [] } = await call('s3', 'GetObjectTagging', { Bucket: bucket, Key: key });
  const { ContentLength = 0, ContentType = 'application/octet-stream' } = head;
  const downloadButton = button('Download', async () =>
    save(await bodyOf(bucket, key), key.split('/').pop() || 'object'),
  );
  const shown =
    ContentLength > MAX_PREVIEW
      ? h('p', { className: 'empty' }, `Objects over ${sizeOf(MAX_PREVIEW)} have no preview.`)
      : await shownBody(bucket, key, ContentType);
  const facts = [
    ['Type', ContentType],
    ['Size', sizeOf(ContentLength)],
    ['Modified', shownTime(head.LastModified ?? '')],
    ['ETag', head.ETag ?? ''],
    ...Object.entries(head.Metadata ?? {}).map(([name, value]) => [`x-amz-meta-${name}`, String(value)]),
    ...TagSet.map(({ Key, Value }: Json) => [`tag ${Key}`, Value]),
  ];
  fill(
    main,
    heading(key, downloadButton),
    crumbs(bucket, key.slice(0, key.lastIndexOf('/') + 1)),
    table(['Property', 'Value'], facts, ''),
    h('h2', {}, 'Preview'),
    shown,
  );
}

const bodyOf = (bucket: string, key: string): Promise<Blob> =>
  download('s3', 'GetObject', { Bucket: bucket, Key: key });

/** Shows a body: HTML and SVG in a frame without origin and scripts, everything else as text or image. */
async function shownBody(bucket: string, key: string, type: string): Promise<HTMLElement> {
  const body = await bodyOf(bucket, key);
  if (/^(?:text\/html|image\/svg\+xml|application\/xhtml\+xml)/i.test(type)) {
    const frame = h('iframe', { title: `Preview of ${key}`, className: 'card preview' });
    frame.setAttribute('sandbox', '');
    frame.srcdoc = await body.text();
    return frame;
  }
  if (/^image\/(?:png|jpeg|gif|webp|avif|bmp)/i.test(type)) {
    const image = h('img', {
      alt: key,
      className: 'card preview',
      src: URL.createObjectURL(new Blob([body], { type })),
    });
    image.onload = () => URL.revokeObjectURL(image.src);
    return image;
  }
  if (/^text\/|json|xml|yaml|javascript/i.test(type) || (await isText(body))) return code(await body.text());
  return h('p', { className: 'empty' }, 'There is no preview of this type.');
}

/** Whether the start of a body is text. An incomplete character at its end is ignored. */
async function isText(body: Blob): Promise<boolean> {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(await body.slice(0, 4096).arrayBuffer(), {
      stream: true,
    });
    return !text.includes('\0');
  } catch {
    return false;
  }
}
