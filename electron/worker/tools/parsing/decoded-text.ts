/** Bytes of the web as text: by the charset of the content type, of the page's own `meta`, else UTF-8. */
export function decodedText(body: Uint8Array, type: string): string {
  const named = /charset=["']?([^"';\s]+)/i.exec(type)?.[1] ?? metaCharset(body) ?? 'utf-8';
  return decoder(named).decode(body);
}

function decoder(label: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(label);
  } catch {
    // A charset nobody knows: most pages that claim one are UTF-8.
    return new TextDecoder();
  }
}

function metaCharset(body: Uint8Array): string | undefined {
  const head = Buffer.from(body.subarray(0, 1_024)).toString('latin1');
  return /<meta[^>]+charset=["']?([\w-]+)/i.exec(head)?.[1];
}
