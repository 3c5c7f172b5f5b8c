/** The picture of the tab with a count or a dot at its corner. */

/** Its side, px. */
const SIDE = 64

let plain: { readonly href: string; readonly type: string } | null = null
let turn = 0

/** Draws the count, a dot where only `isUnread`, or nothing. The newest call wins. */
export function drawTabIcon(calls: number, isUnread: boolean): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
  if (!link) return
  plain ??= { href: link.href, type: link.type }
  const mine = ++turn
  if (calls === 0 && !isUnread) return void Object.assign(link, plain)
  const logo = new Image()
  logo.onload = () => {
    const href = mine === turn ? drawn(logo, calls) : null
    if (href) Object.assign(link, { href, type: 'image/png' })
  }
  // Browsers differ in how they draw an SVG that says no size.
  logo.src = '/icon-192.png'
}

function drawn(logo: HTMLImageElement, calls: number): string | null {
  const canvas = document.createElement('canvas')
  canvas.width = SIDE
  canvas.height = SIDE
  const pen = canvas.getContext('2d')
  if (!pen) return null
  const colour = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name)
  const radius = calls > 0 ? 20 : 12
  const centre = SIDE - radius
  pen.drawImage(logo, 0, 0, SIDE, SIDE)
  pen.beginPath()
  pen.arc(centre, centre, radius, 0, 2 * Math.PI)
  pen.fillStyle = colour('--danger')
  pen.fill()
  if (calls > 0) {
    pen.fillStyle = colour('--on-danger')
    pen.font = `700 ${calls > 9 ? 24 : 30}px sans-serif`
    pen.textAlign = 'center'
    pen.textBaseline = 'middle'
    pen.fillText(calls > 9 ? '9+' : String(calls), centre, centre + 2)
  }
  return canvas.toDataURL()
}
