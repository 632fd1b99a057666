/** Smallest buffer in bytes that is worth pages of its own. */
export const PAGED_FROM = 128 * 1024;

/** ES2024's constructor, which node 20 has; the rest of that library it lacks. */
const ResizableBuffer = ArrayBuffer as new (size: number, options: { maxByteLength: number }) => ArrayBuffer;

/**
 * Allocates a buffer that the operating system gets back as soon as it is collected. The memory of ordinary buffers
 * stays with the process after many of them, because allocators for C keep the gaps between smaller allocations. Pages
 * that are never written need no memory. Node's `Response` refuses such buffers, so they are for files, sockets and
 * streams.
 * @param size in bytes
 */
export const pagedBuffer = (size: number): Buffer =>
  Buffer.from(new ResizableBuffer(size, { maxByteLength: size }), 0, size);

/** Whether a buffer was allocated by {@link pagedBuffer}. */
export const isPaged = ({ buffer }: Uint8Array): boolean => (buffer as { resizable?: boolean }).resizable === true;
