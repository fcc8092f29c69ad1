import type { TimelineColumns } from '@foretrain/predictor'
import { type MountedTimeline, mountTimeline } from '../../src/timeline/mount.ts'

declare global {
  interface Window {
    show(columns: TimelineColumns): void
    mounted: MountedTimeline
    /** Of each frame since it was last emptied: from the callback to the last pixel, ms. */
    drawnMs: number[]
    exports: number
    /** What was saved last: its kind, and its text or its size in dots. */
    saved: [kind: string, content: string | [number, number]]
    zoomAndBack(notches: number): Promise<void>
  }
}

window.exports = 0
window.drawnMs = []

const nextFrame = window.requestAnimationFrame.bind(window)
window.requestAnimationFrame = callback =>
  nextFrame(time => {
    const before = performance.now()
    callback(time)
    // Canvases draw later unless somebody looks at them.
    for (const canvas of document.querySelectorAll('canvas')) canvas.getContext('2d')?.getImageData(0, 0, 1, 1)
    window.drawnMs.push(performance.now() - before)
  })

window.show = columns => {
  const onExport = async () => {
    window.exports += 1
  }
  const onSave = async (kind: string, given: Promise<Blob>) => {
    const content = await given
    const bitmap = kind === 'png' ? await createImageBitmap(content) : undefined
    window.saved = [kind, bitmap === undefined ? await content.text() : [bitmap.width, bitmap.height]]
  }
  window.mounted = mountTimeline(document.getElementById('host') as HTMLElement, columns, { onExport, onSave })
}

/** Into the timeline and out again with the wheel, a notch a frame, about places that move. */
window.zoomAndBack = async notches => {
  const canvas = document.querySelector('.timeline-canvas') as HTMLCanvasElement
  const box = canvas.getBoundingClientRect()
  for (const deltaY of [-100, 100])
    for (let notch = 0; notch < notches; notch++) {
      const clientX = box.left + box.width * (0.2 + (0.6 * notch) / notches)
      canvas.dispatchEvent(new WheelEvent('wheel', { deltaY, clientX, clientY: box.top + 80, cancelable: true, bubbles: true }))
      await new Promise(resolve => nextFrame(resolve))
    }
}
