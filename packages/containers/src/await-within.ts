/**
 * Waits for a promise, for a limited time in milliseconds. The timer ends with it.
 * @returns its value; undefined if it is late
 * @throws the error of the promise
 */
export async function awaitWithin<T>(promise: Promise<T>, milliseconds: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, milliseconds, undefined);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
