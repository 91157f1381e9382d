// A text in the fragment of an address: deflated, in the alphabet of base64url. It never reaches a server.

const MOST = 200_000; // characters of a text that is taken from a link

async function through(stream, bytes) {
  const piped = new Blob([bytes]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(piped).arrayBuffer());
}

export async function toFragment(text) {
  const packed = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...packed)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export async function fromFragment(fragment) {
  const packed = Uint8Array.from(atob(fragment.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));
  const bytes = await through(new DecompressionStream("deflate-raw"), packed);
  if (bytes.length > MOST) throw new Error("the text is too long");
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}
