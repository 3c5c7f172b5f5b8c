import type { Guild } from '@guildhall/wire/channel/channel.ts'
import { GRADIENT_COLORS } from '@guildhall/wire/guild/guild.ts'
import { firstLevelOf, hasRight } from '@guildhall/wire/guild/levelRights.ts'
import { useId } from 'react'
import { useTheme } from '../kit/browser/useTheme.ts'
import { useText } from '../kit/i18n.ts'
import { Button } from '../ui/Button.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { CloseIcon } from '../ui/icon/icon.tsx'
import { CheckIcon } from '../ui/icon/laterIcons.tsx'
import { EmojiText } from '../ui/picture/EmojiText.tsx'
import { nameLook } from '../ui/picture/nameLook.ts'
import type { Colors } from './draft.ts'
import styles from './Roles.module.css'
import { text } from './text.ts'

/** As many as `paletteNames` has. */
const PALETTE: Colors = [
  0xe03131, 0xe8590c, 0xf08c00, 0x2f9e44, 0x0c8599, 0x1971c2, 0x4263eb, 0x7048e8, 0xd6336c, 0x8d6e63,
  0x868e96,
]
const KINDS = ['none', 'solid', 'gradient'] as const

/**
 * No colour, one, or a gradient; `colors` are as many. A guild without the level keeps gradients that it has.
 */
export function RoleColors(props: {
  guild: Guild
  name: string
  colors: Colors
  isLocked: boolean
  onChange: (colors: Colors) => void
}) {
  const { colors, isLocked, onChange } = props
  const t = useText(text)
  const theme = useTheme()
  const group = useId()
  const now = KINDS[Math.min(colors.length, 2)]!
  const lacksLevel = !hasRight('gradient_color', props.guild.level)
  const [first = PALETTE[5]!, second = first === PALETTE[8] ? PALETTE[5]! : PALETTE[8]!] = colors
  const of = { none: [], solid: [first], gradient: [first, second] }
  const isOff = (kind: (typeof KINDS)[number]) => kind === 'gradient' && lacksLevel && now !== kind
  const replace = (at: number, color: number) => onChange(colors.map((it, n) => (n === at ? color : it)))
  const preview = now !== 'none' && (
    <span {...nameLook({ color: first, color_list: colors.length > 1 ? colors : undefined }, theme)}>
      <EmojiText>{props.name || t.name}</EmojiText>
    </span>
  )
  if (isLocked)
    return (
      <p className={styles.preview}>
        <span className={styles.fact}>{t.colorKind}</span>
        {preview || t.none}
      </p>
    )
  return (
    <>
      <fieldset className={styles.kinds}>
        <legend className={styles.label}>{t.colorKind}</legend>
        {KINDS.map((kind) => (
          <label key={kind} className={styles.kind} data-off={isOff(kind) || undefined}>
            <input
              type="radio"
              name={group}
              checked={kind === now}
              disabled={isOff(kind)}
              onChange={() => onChange(of[kind])}
            />
            {t[kind]}
          </label>
        ))}
      </fieldset>
      {lacksLevel && <p className={styles.fact}>{t.gradientLevel(firstLevelOf('gradient_color'))}</p>}
      {now === 'solid' && <Palette chosen={first} onChoose={(color) => onChange([color])} />}
      {now === 'gradient' && (
        <div className={styles.stops}>
          {colors.map((color, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a colour is known by where it stands
            <span key={at} className={styles.stop}>
              <ColorField label={t.colorAt(at + 1)} color={color} onChange={(it) => replace(at, it)} />
              {colors.length > GRADIENT_COLORS.min && (
                <IconButton
                  label={t.removeColor(at + 1)}
                  onPress={() => onChange(colors.filter((_, n) => n !== at))}
                >
                  <CloseIcon size={16} />
                </IconButton>
              )}
            </span>
          ))}
          {colors.length < GRADIENT_COLORS.max && (
            <Button kind="soft" onPress={() => onChange([...colors, PALETTE[colors.length]!])}>
              {t.addColor}
            </Button>
          )}
        </div>
      )}
      {preview && (
        <p className={styles.preview}>
          <span className="unseen">{t.preview}</span>
          {preview}
          <span className={styles.fact}>{t.previewWhy}</span>
        </p>
      )}
    </>
  )
}

function Palette(props: { chosen: number; onChoose: (color: number) => void }) {
  const t = useText(text)
  return (
    <fieldset className={styles.palette}>
      <legend className="unseen">{t.palette}</legend>
      {PALETTE.map((color, at) => (
        <button
          key={color}
          type="button"
          className={styles.swatch}
          style={{ background: hexOf(color) }}
          aria-label={t.paletteNames[at]}
          aria-pressed={color === props.chosen}
          onClick={() => props.onChoose(color)}
        >
          {color === props.chosen && <CheckIcon size={20} />}
        </button>
      ))}
      <ColorField label={t.own} color={props.chosen} onChange={props.onChoose} />
    </fieldset>
  )
}

/** A colour that the system's own chooser gives. Black is the darkest that is a colour: 0 is none. */
function ColorField(props: { label: string; color: number; onChange: (color: number) => void }) {
  return (
    <input
      type="color"
      className={styles.color}
      aria-label={props.label}
      title={props.label}
      value={hexOf(props.color)}
      onChange={({ target }) => props.onChange(Number.parseInt(target.value.slice(1), 16) || 1)}
    />
  )
}

const hexOf = (color: number): string => `#${color.toString(16).padStart(6, '0')}`
