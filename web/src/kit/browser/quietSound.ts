/** Two tones, Hz, each s after the start. */
const TONES = [
  [659, 0],
  [880, 0.09],
] as const
const LENGTH_S = 0.35
const VOLUME = 0.06

let context: AudioContext | null = null

/** Plays two short, soft tones. Silent where the browser has no sound, or nobody touched the page yet. */
export function playQuietSound(): void {
  try {
    context ??= new AudioContext()
    void context.resume().catch(() => undefined)
    const now = context.currentTime
    for (const [frequency, after] of TONES) {
      const volume = context.createGain()
      volume.gain.setValueAtTime(0, now + after)
      volume.gain.linearRampToValueAtTime(VOLUME, now + after + 0.015)
      volume.gain.exponentialRampToValueAtTime(0.0001, now + after + LENGTH_S)
      const tone = context.createOscillator()
      tone.frequency.value = frequency
      tone.connect(volume).connect(context.destination)
      tone.start(now + after)
      tone.stop(now + after + LENGTH_S)
    }
  } catch {
    // Without WebAudio there is no sound.
  }
}
