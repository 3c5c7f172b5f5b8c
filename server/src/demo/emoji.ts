/** The custom emoji of the demo guild, drawn by code. */

const SIDE = 96

const svg = (inside: string): Buffer =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${SIDE}" height="${SIDE}" viewBox="0 0 48 48">${inside}</svg>`,
  )

const drawings: Readonly<Record<string, string>> = {
  晚安: `<circle cx="24" cy="25" r="18" fill="#ffd35c"/>
    <path d="M13 24q4 4 8 0M27 24q4 4 8 0" fill="none" stroke="#6b4a12" stroke-width="2.5" stroke-linecap="round"/>
    <ellipse cx="24" cy="33" rx="3" ry="3.5" fill="#6b4a12"/>
    <path d="M33 4h7l-7 8h7M42 14h4l-4 5h4" fill="none" stroke="#5b7cfa" stroke-width="2.5"
      stroke-linecap="round" stroke-linejoin="round"/>`,
  收音机: `<path d="M14 16 34 5" stroke="#8a5a3c" stroke-width="2.5" stroke-linecap="round"/>
    <rect x="4" y="15" width="40" height="27" rx="6" fill="#d9643a"/>
    <circle cx="16" cy="28.5" r="8" fill="#fff1dc"/><circle cx="16" cy="28.5" r="3" fill="#d9643a"/>
    <rect x="28" y="21" width="12" height="5" rx="1.5" fill="#fff1dc"/>
    <circle cx="31" cy="34" r="2.5" fill="#fff1dc"/><circle cx="38" cy="34" r="2.5" fill="#fff1dc"/>`,
  月亮: `<path d="M31 6a19 19 0 1 0 11 27A16 16 0 0 1 31 6z" fill="#ffe08a"/>
    <circle cx="20" cy="21" r="2.5" fill="#e9bf55"/><circle cx="17" cy="31" r="3.5" fill="#e9bf55"/>
    <path d="m38 8 1.5 4 4 1.5-4 1.5-1.5 4-1.5-4-4-1.5 4-1.500z" fill="#9fb4ff"/>`,
  馄饨: `<path d="M14 16q-3-4 0-7M24 14q-3-4 0-8M34 16q-3-4 0-7" fill="none" stroke="#a9b4c0" stroke-width="2.5"
      stroke-linecap="round"/>
    <ellipse cx="16" cy="23" rx="8" ry="5" fill="#fff4e0"/><ellipse cx="31" cy="22" rx="8" ry="5" fill="#ffe9c7"/>
    <path d="M4 24h40a20 18 0 0 1-13 17H17A20 18 0 0 1 4 24z" fill="#3f8f6b"/>
    <path d="M7 29h34" stroke="#d8f0e2" stroke-width="2"/>`,
}

/** Their names and pictures, PNG. */
export async function drawEmoji(): Promise<{ readonly name: string; readonly png: Buffer }[]> {
  // Loaded only at the first start.
  const { default: sharp } = await import('sharp')
  return Promise.all(
    Object.entries(drawings).map(async ([name, inside]) => ({
      name,
      png: await sharp(svg(inside)).png().toBuffer(),
    })),
  )
}
