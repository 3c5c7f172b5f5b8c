/** The signs of what levels bring, by their keys. */
import type { ComponentType } from 'react'
import { icon } from '../../ui/icon/icon.tsx'
import {
  EmojiIcon,
  MotionIcon,
  NumberIcon,
  RenewIcon,
  SpeedIcon,
  UploadIcon,
} from '../../ui/icon/payIcons.tsx'

const PeopleIcon = icon(
  <path d="M9 5a3.200 3.200 0 1 0 0 6.400A3.200 3.200 0 0 0 9 5zM3 19c.400-3.400 2.700-5 6-5s5.600 1.600 6 5M15.500 5.300a3.200 3.200 0 0 1 0 5.900M17.500 14.300c2.100.600 3.300 2.100 3.500 4.700" />,
)
const VoiceIcon = icon(<path d="M4 10v4M8 7v10M12 4v16M16 7v10M20 10v4" />)
const TagIcon = icon(<path d="M4 4.500h7.500l8 8-7 7-8.500-8.500zM8 8.500h.01" />)
const MovingPictureIcon = icon(<path d="M4 4.500h16v15H4zM10 9v6l5-3z" />)
const BannerIcon = icon(
  <path d="M3.500 5.500h17v13h-17zM3.500 15.500l5-4.500 4 3.500 3-2.500 5 4M15.500 9.200h.01" />,
)
const GradientIcon = icon(
  <path d="M12 3.500c3.500 4 5.500 6.700 5.500 9.700a5.500 5.500 0 0 1-11 0c0-3 2-5.700 5.500-9.700zM7 14.500h10M8.500 17.500h7" />,
)
const PaletteIcon = icon(
  <path d="M12 4a8 8 0 1 0 0 16c1.500 0 1.800-1 1.300-2-.600-1.300.200-2.500 1.700-2.500h2c2 0 3-1.300 3-3.300C20 7.700 16.400 4 12 4zM8 11h.01M11 8h.01M15 8.500h.01" />,
)
const QuietIcon = icon(<path d="M4 9.500v5h3.500l5 4v-13l-5 4zM16.500 9.500l4 5M20.500 9.500l-4 5" />)
const StarIcon = icon(
  <path d="m12 4 2.400 5 5.600.700-4.100 3.800 1.100 5.500-5-2.700-5 2.700 1.100-5.500L4 9.700 9.600 9z" />,
)

const ICONS: Readonly<Record<string, ComponentType<{ size?: number }>>> = {
  max_members: PeopleIcon,
  max_upload_size: UploadIcon,
  max_voice_quality: VoiceIcon,
  emoji: EmojiIcon,
  emoji_gif: MotionIcon,
  max_role_num: TagIcon,
  guild_logo_gif: MovingPictureIcon,
  guild_banner: BannerIcon,
  restore_delete_guild: RenewIcon,
  gradient_color: GradientIcon,
  guild_gradient: PaletteIcon,
  voice_perf: SpeedIcon,
  vnga: QuietIcon,
  custom_id: NumberIcon,
}

/** The sign of a right; a star for one that this page does not know. Decoration: its name is beside it. */
export function RightIcon({ of, size }: { of: string; size: number }) {
  const Icon = ICONS[of] ?? StarIcon
  return <Icon size={size} />
}
