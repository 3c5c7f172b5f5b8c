import { type ReactNode, useState } from 'react'
import Cropper, { type Area } from 'react-easy-crop'
import 'react-easy-crop/react-easy-crop.css'
import { useText } from '../../kit/i18n.ts'
import type { Prepared } from '../../kit/picture/picturePrepared.ts'
import styles from './Crop.module.css'
import { cropText } from './cropText.ts'

/** The largest zoom of a picture that may be cut as small as one likes. */
export const ZOOM_MAX = 4

/**
 * Moving and zooming a picture under an opening, by touch, mouse, keys or slider. `onPart` gets what the
 * opening shows.
 */
export function Crop(props: {
  picture: Prepared
  shape: 'round' | 'rect'
  /** Width by height of the opening. */
  ratio: number
  /** 1: the picture is only moved. */
  zoomMax: number
  isBusy: boolean
  /** The id of the element that says how it is used. */
  describedBy: string
  /** Beside the slider. */
  children?: ReactNode
  onPart: (pixels: Area, percent: Area) => void
}) {
  const { picture, ratio, zoomMax, isBusy } = props
  const t = useText(cropText)
  const [crop, setCrop] = useState({ x: 0, y: 0 })
  const [zoom, setZoom] = useState(1)
  return (
    <>
      <div className={styles.frame} style={{ aspectRatio: ratio }} data-part="frame" inert={isBusy}>
        <Cropper
          image={picture.url}
          crop={crop}
          zoom={zoom}
          maxZoom={zoomMax}
          aspect={ratio}
          cropShape={props.shape}
          showGrid={false}
          objectFit="cover"
          keyboardStep={8}
          disableAutomaticStylesInjection
          classes={{ cropAreaClassName: styles.opening! }}
          mediaProps={{ alt: '' }}
          cropperProps={{ role: 'application', 'aria-label': t.area, 'aria-describedby': props.describedBy }}
          onCropChange={setCrop}
          onZoomChange={setZoom}
          onCropAreaChange={(percent, pixels) => props.onPart(pixels, percent)}
        />
      </div>
      {(zoomMax > 1 || props.children) && (
        <div className={styles.tools}>
          {zoomMax > 1 && <Zoom value={zoom} max={zoomMax} isBusy={isBusy} onChange={setZoom} />}
          {props.children}
        </div>
      )}
    </>
  )
}

function Zoom(props: { value: number; max: number; isBusy: boolean; onChange: (zoom: number) => void }) {
  const t = useText(cropText)
  return (
    <label className={styles.zoom}>
      <span>{t.zoom}</span>
      <input
        type="range"
        min={1}
        max={props.max}
        step={0.05}
        value={props.value}
        disabled={props.isBusy}
        aria-valuetext={`${Math.round(props.value * 100)}%`}
        onChange={(event) => props.onChange(Number(event.target.value))}
      />
    </label>
  )
}

/** Whether a picture that moves is kept as it is. */
export function KeepsMoving(props: {
  label: string
  className: string | undefined
  isOn: boolean
  isBusy: boolean
  onChange: (isOn: boolean) => void
}) {
  return (
    <label className={`${styles.keeps} ${props.className}`}>
      <input
        type="checkbox"
        checked={props.isOn}
        disabled={props.isBusy}
        onChange={(event) => props.onChange(event.target.checked)}
      />
      <span>{props.label}</span>
    </label>
  )
}
