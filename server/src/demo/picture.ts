/** The pictures of the demo world, drawn by code: faces, icons and banners. */

const FACE = { width: 256, height: 256 } as const
const BANNER = { width: 1280, height: 720 } as const

const gradient = (id: string, from: string, to: string): string =>
  `<defs><linearGradient id="${id}" x1="0" y1="0" x2="1" y2="1"><stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient></defs>
  <rect width="100%" height="100%" fill="url(#${id})"/>`

/** Of 48 by 48 units. */
const identities = {
  owner: `${gradient('g', '#22305f', '#6f5bd0')}<circle cx="31" cy="16" r="9" fill="#ffe08a"/><circle cx="35" cy="13" r="8" fill="#3a4484"/>
    <path d="M0 40q10-14 20-6t28-8v22H0z" fill="#182247"/><circle cx="10" cy="12" r="1" fill="#fff"/><circle cx="18" cy="20" r=".8" fill="#fff"/>`,
  admin: `${gradient('g', '#0f6b66', '#7fd3b4')}<path d="M-2 40 14 16l10 14 6-8 20 22z" fill="#0a4a52"/><path d="m14 16 5 7-5 3-4-4z" fill="#e9fff6"/>
    <circle cx="36" cy="13" r="5" fill="#fff3c4"/>`,
  member: `${gradient('g', '#ffb347', '#ff7a59')}<circle cx="24" cy="27" r="14" fill="#ff8c1a"/><circle cx="20" cy="22" r="4" fill="#ffc27a"/>
    <path d="M24 13q1-6 8-7-1 6-8 7z" fill="#3c8d40"/>`,
  muted: `${gradient('g', '#f6c1d1', '#c9a7eb')}<path d="M12 20 14 8l9 7h4l9-7 2 12q3 18-13 19T12 20z" fill="#54486b"/>
    <circle cx="19" cy="23" r="2" fill="#ffe08a"/><circle cx="30" cy="23" r="2" fill="#ffe08a"/><path d="M23 28h3l-1.500 2z" fill="#f6a5b8"/>`,
  lamp: `${gradient('g', '#10263f', '#27506f')}<path d="M24 6v8" stroke="#cfd8e3" stroke-width="2"/><path d="M12 26q2-12 12-12t12 12z" fill="#ffcf5c"/>
    <circle cx="24" cy="28" r="4" fill="#fff4d0"/><path d="M12 30 6 44h36l-6-14z" fill="#ffe9a8" opacity=".35"/>`,
  radio: `${gradient('g', '#2b1d52', '#8a3f8f')}<rect x="8" y="19" width="32" height="20" rx="4" fill="#ffb86b"/><circle cx="18" cy="29" r="6" fill="#2b1d52"/>
    <circle cx="18" cy="29" r="2" fill="#ffb86b"/><rect x="28" y="24" width="8" height="3" fill="#2b1d52"/><path d="m14 19 16-10" stroke="#ffe1bd" stroke-width="2"/>`,
  pixels: `${gradient('g', '#fff0d9', '#ffd1dc')}${pixelArt()}`,
} as const

/** A heart of squares. */
function pixelArt(): string {
  const rows = ['0110110', '1111111', '1111111', '0111110', '0011100', '0001000']
  return rows
    .flatMap((row, y) =>
      [...row].map((bit, x) =>
        bit === '1'
          ? `<rect x="${6 + x * 5.2}" y="${9 + y * 5.2}" width="5" height="5" fill="${(x + y) % 3 === 0 ? '#ff8fab' : '#e8466b'}"/>`
          : '',
      ),
    )
    .join('')
}

/** Of 128 by 72 units. */
const banners = {
  night: `${gradient('g', '#141b3c', '#6a3f8c')}<circle cx="98" cy="20" r="11" fill="#ffe9b0"/>
    <path d="M0 60q20-16 44-8t40-10 44 4v26H0z" fill="#0d1230"/><path d="M0 66q30-10 60-4t68-6v16H0z" fill="#080b20"/>
    ${[8, 22, 37, 51, 66, 79, 112].map((x, n) => `<circle cx="${x}" cy="${8 + ((n * 13) % 26)}" r=".6" fill="#fff"/>`).join('')}
    ${[12, 20, 47, 70, 76, 104].map((x, n) => `<rect x="${x}" y="${57 + (n % 3)}" width="1.600" height="2" fill="#ffd36b"/>`).join('')}`,
  window: `${gradient('g', '#ffe3c2', '#ff9fb2')}<rect x="34" y="10" width="60" height="50" rx="2" fill="#8fd0ff"/>
    <circle cx="78" cy="24" r="6" fill="#fff2a8"/><path d="M34 48q14-12 28-4t32-6v22H34z" fill="#5aa469"/>
    <path d="M64 10v50M34 35h60" stroke="#7a4b3a" stroke-width="2"/><rect x="34" y="10" width="60" height="50" rx="2" fill="none" stroke="#7a4b3a" stroke-width="3"/>
    <rect x="30" y="59" width="68" height="4" fill="#7a4b3a"/>`,
} as const

export type PictureName = keyof typeof identities | keyof typeof banners

/** All of them by their names, PNG. */
export async function drawPictures(): Promise<Readonly<Record<PictureName, Buffer>>> {
  // Loaded only at the first start.
  const { default: sharp } = await import('sharp')
  const draw = async (
    name: string,
    inside: string,
    { width, height }: { width: number; height: number },
    box: string,
  ) => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${box}">${inside}</svg>`
    return [name, await sharp(Buffer.from(svg)).png().toBuffer()] as const
  }
  const drawn = await Promise.all([
    ...Object.entries(identities).map(([name, inside]) => draw(name, inside, FACE, '0 0 48 48')),
    ...Object.entries(banners).map(([name, inside]) => draw(name, inside, BANNER, '0 0 128 72')),
  ])
  return Object.fromEntries(drawn) as Record<PictureName, Buffer>
}
