import { Component, type ReactNode, type RefObject } from 'react';

interface KeepPlaceProps {
  scroller: RefObject<HTMLElement | null>;
  /** Key of the first child; another one means that earlier ones were put before it. */
  first: string | undefined;
  children: ReactNode;
}

interface Place {
  node: Element;
  top: number;
}

/** Keeps the first turn where it is on the screen when earlier turns are put before it. */
export class KeepPlace extends Component<KeepPlaceProps> {
  override getSnapshotBeforeUpdate(before: KeepPlaceProps): Place | null {
    if (before.first === this.props.first) return null;
    const node = this.props.scroller.current?.querySelector('article');
    return node ? { node, top: node.getBoundingClientRect().top } : null;
  }

  override componentDidUpdate(_props: KeepPlaceProps, _state: unknown, place: Place | null): void {
    const box = this.props.scroller.current;
    if (box && place?.node.isConnected) box.scrollTop += place.node.getBoundingClientRect().top - place.top;
  }

  override render(): ReactNode {
    return this.props.children;
  }
}
