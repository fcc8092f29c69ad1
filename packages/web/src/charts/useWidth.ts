import { useEffect, useRef, useState } from 'preact/hooks'

const narrowest = 240

/** Width of an element in pixels, kept up to date. */
export function useWidth(initial: number) {
  const host = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(initial)
  useEffect(() => {
    const element = host.current
    if (element === null) return
    const observer = new ResizeObserver(([entry]) => setWidth(Math.max(narrowest, Math.round(entry.contentRect.width))))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return [host, width] as const
}
